// The floor as a program of its own, for a profiler: curl-multi-floor URL REQUESTS IN-FLIGHT BODY-SIZE [CA-FILE]

#include <CurlMultiFloor.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    if (count < 5 || count > 6) {
        fprintf(stderr, "usage: %s URL REQUESTS IN-FLIGHT BODY-SIZE [CA-FILE]\n", arguments[0]);
        return 2;
    }
    uint64_t requests = strtoull(arguments[2], NULL, 10);
    unsigned in_flight = (unsigned)strtoul(arguments[3], NULL, 10);
    curl_floor *client = curl_floor_open((curl_floor_options){.ca_file = count == 6 ? arguments[5] : NULL});
    if (client == NULL) return 1;
    uint64_t body_size = strtoull(arguments[4], NULL, 10);
    uint64_t time = curl_floor_run(client, arguments[1], NULL, requests, in_flight, body_size);
    curl_floor_close(client);
    if (time == 0) {
        fprintf(stderr, "a request failed\n");
        return 1;
    }
    printf("%.0f requests a second\n", (double)requests * 1e9 / (double)time);
    return 0;
}

#include "CurlMultiFloor.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct curl_floor {
    CURLM *multi;
    curl_floor_options options;
    char *ca_file;
    char *pin;
};

/// Where one response goes; it is kept whole, as a caller would want it.
typedef struct {
    char bytes[4096];
    size_t count;
    bool discards;
} response;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    response *response = context;
    size_t total = size * count;
    if (response->discards) {
        response->count += total;
        return total;
    }
    if (total > sizeof response->bytes - response->count) return 0;
    memcpy(response->bytes + response->count, bytes, total);
    response->count += total;
    return total;
}

curl_floor *curl_floor_open(curl_floor_options options) {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return NULL;
    curl_floor *client = calloc(1, sizeof *client);
    if (client == NULL) return NULL;
    client->multi = curl_multi_init();
    client->options = options;
    client->ca_file = options.ca_file == NULL ? NULL : strdup(options.ca_file);
    client->pin = options.pin == NULL ? NULL : strdup(options.pin);
    if (client->multi != NULL)
        curl_multi_setopt(client->multi, CURLMOPT_MAX_HOST_CONNECTIONS, options.connections);
    if (client->multi == NULL || (options.ca_file != NULL && client->ca_file == NULL)
        || (options.pin != NULL && client->pin == NULL)) {
        curl_floor_close(client);
        return NULL;
    }
    return client;
}

void curl_floor_close(curl_floor *client) {
    if (client == NULL) return;
    curl_multi_cleanup(client->multi);
    free(client->ca_file);
    free(client->pin);
    free(client);
}

static bool start(curl_floor *client, const char *url, struct curl_slist *fields, response *response) {
    CURL *easy = curl_easy_init();
    if (easy == NULL) return false;
    response->count = 0;
    response->discards = client->options.discards;
    long version = client->options.uses_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1;
    bool is_set = curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, version) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_PIPEWAIT, (long)client->options.uses_http2) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_PINNEDPUBLICKEY, client->pin) == CURLE_OK
        // A directory of certificates would keep libcurl from loading the roots once for all connections.
        && (client->options.keeps_directory || curl_easy_setopt(easy, CURLOPT_CAPATH, NULL) == CURLE_OK)
        && (client->ca_file == NULL || curl_easy_setopt(easy, CURLOPT_CAINFO, client->ca_file) == CURLE_OK)
        && curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_WRITEDATA, response) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_PRIVATE, response) == CURLE_OK
        && curl_multi_add_handle(client->multi, easy) == CURLM_OK;
    if (!is_set) curl_easy_cleanup(easy);
    return is_set;
}

uint64_t curl_floor_run(
    curl_floor *client, const char *url, const char *header, uint64_t requests, unsigned in_flight,
    uint64_t body_size) {
    response *responses = calloc(in_flight, sizeof *responses);
    struct curl_slist *fields = header == NULL ? NULL : curl_slist_append(NULL, header);
    bool is_right = responses != NULL && (header == NULL || fields != NULL);
    uint64_t started = 0, finished = 0, begin = now();
    for (unsigned lane = 0; is_right && lane < in_flight && started < requests; lane++, started++) {
        is_right = start(client, url, fields, &responses[lane]);
    }
    while (finished < started) {
        int running = 0, left = 0;
        if (curl_multi_perform(client->multi, &running) != CURLM_OK) abort();
        CURLMsg *message;
        while ((message = curl_multi_info_read(client->multi, &left)) != NULL) {
            CURL *easy = message->easy_handle;
            response *response = NULL;
            long status = 0;
            is_right = message->data.result == CURLE_OK && is_right;
            is_right = curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&response) == CURLE_OK && is_right;
            is_right = curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK && is_right;
            is_right = status == 200 && response != NULL && response->count == body_size && is_right;
            curl_multi_remove_handle(client->multi, easy);
            curl_easy_cleanup(easy);
            finished++;
            if (is_right && started < requests) {
                is_right = start(client, url, fields, response);
                if (is_right) started++;
            }
        }
        if (finished < started && curl_multi_poll(client->multi, NULL, 0, 1000, NULL) != CURLM_OK) abort();
    }
    uint64_t end = now();
    curl_slist_free_all(fields);
    free(responses);
    return is_right && finished == requests ? end - begin : 0;
}

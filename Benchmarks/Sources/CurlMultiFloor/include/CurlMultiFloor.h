#pragma once

#include <stdint.h>

// The least that a program must do to send HTTP requests with libcurl: one thread, curl_multi_perform and
// curl_multi_poll, kept connections, a fresh easy handle a request.

typedef struct curl_floor curl_floor;

/// Makes a client with no connection yet; NULL when libcurl fails. `ca_file` holds the trusted roots in PEM and may be
/// NULL for plain HTTP.
curl_floor *_Nullable curl_floor_open(const char *_Nullable ca_file);

/// Sends GET requests and takes their responses.
///
/// `header` is one more line for each request, or NULL. Every response must have status 200 and `body_size` octets.
/// Returns the nanoseconds that passed, or 0 when any request failed.
uint64_t curl_floor_run(
    curl_floor *_Nonnull client, const char *_Nonnull url, const char *_Nullable header, uint64_t requests,
    unsigned in_flight, uint64_t body_size);

void curl_floor_close(curl_floor *_Nullable client);

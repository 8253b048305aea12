#pragma once

#include <stdbool.h>
#include <stdint.h>

// The least that a program must do to send HTTP requests with libcurl: one thread, curl_multi_perform and
// curl_multi_poll, kept connections, a fresh easy handle a request.

typedef struct curl_floor curl_floor;

typedef struct {
    /// The trusted roots in PEM; NULL for plain HTTP.
    const char *_Nullable ca_file;
    /// Whether HTTP/2 is asked for.
    bool uses_http2;
    /// Whether the roots are handled as libcurl does when nobody says otherwise: with a directory, so that every connection
    /// reads them again.
    bool keeps_directory;
    /// The public key of the server, as libcurl takes it ("sha256//..."); NULL for any.
    const char *_Nullable pin;
    /// Whether content is counted and let go of.
    bool discards;
    /// The most connections to one host; 0 for any number.
    long connections;
} curl_floor_options;

/// Makes a client with no connection yet; NULL when libcurl fails. The texts are copied.
curl_floor *_Nullable curl_floor_open(curl_floor_options options);

/// Sends GET requests and takes their responses.
///
/// `header` is one more line for each request, or NULL. Every response must have status 200 and `body_size` octets.
/// Returns the nanoseconds that passed, or 0 when any request failed.
uint64_t curl_floor_run(
    curl_floor *_Nonnull client, const char *_Nonnull url, const char *_Nullable header, uint64_t requests,
    unsigned in_flight, uint64_t body_size);

void curl_floor_close(curl_floor *_Nullable client);

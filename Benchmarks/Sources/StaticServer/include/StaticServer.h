#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct static_server static_server;

/// Starts a server on 127.0.0.1 and a free port that gives every GET request the same response, from one thread; after
/// the one to `/last` it closes the connection. `/large/N` is N octets.
///
/// The body is copied. Certificate and key are in PEM and stay the caller's; NULL serves plain
/// HTTP. Returns NULL when the server cannot be started.
static_server *_Nullable static_server_start(
    const uint8_t *_Nonnull body, size_t body_size, const char *_Nullable certificate, const char *_Nullable key,
    uint16_t *_Nonnull port);

void static_server_stop(static_server *_Nullable server);

#pragma once

#include <microhttpd.h>
#include <stddef.h>

/// What a daemon is started with.
struct cmhd_settings {
    MHD_AccessHandlerCallback _Nonnull handler;
    void *_Nullable (*_Nonnull uri_log)(void *_Nullable, const char *_Nonnull, struct MHD_Connection *_Nonnull);
    MHD_RequestCompletedCallback _Nonnull completed;
    MHD_NotifyConnectionCallback _Nonnull connection;
    MHD_LogCallback _Nonnull logger;
    void *_Nonnull context;
    int listen_socket;
    unsigned int connection_limit;
    unsigned int address_connection_limit;
    unsigned int timeout_seconds;
    unsigned int thread_count;
    size_t memory_limit;
    const char *_Nullable certificate_chain;
    const char *_Nullable private_key;
    const char *_Nonnull tls_priorities;
};

/// MHD_start_daemon is variadic, which Swift cannot call.
static inline struct MHD_Daemon *_Nullable cmhd_start(unsigned int flags,
                                                      const struct cmhd_settings *_Nonnull settings) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate_chain},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->private_key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)settings->tls_priorities},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem pool[] = {
        {MHD_OPTION_THREAD_POOL_SIZE, settings->thread_count, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none = {MHD_OPTION_END, 0, NULL};
    return MHD_start_daemon(
        flags, 0, NULL, NULL, settings->handler, settings->context,
        MHD_OPTION_EXTERNAL_LOGGER, settings->logger, settings->context,
        MHD_OPTION_LISTEN_SOCKET, settings->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->address_connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_limit,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_URI_LOG_CALLBACK, settings->uri_log, settings->context,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection, settings->context,
        MHD_OPTION_ARRAY, settings->private_key ? tls : &none,
        MHD_OPTION_ARRAY, settings->thread_count > 1 ? pool : &none,
        MHD_OPTION_END);
}

/// MHD_get_connection_info is variadic, which Swift cannot call.
static inline const struct sockaddr *_Nullable cmhd_client_address(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/// The socket of a connection, or -1.
static inline int cmhd_socket(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// The octets of a request's head with its empty line, or 0 when the library does not know.
static inline size_t cmhd_head_size(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

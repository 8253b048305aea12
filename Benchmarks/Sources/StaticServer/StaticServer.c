#include "StaticServer.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

struct static_server {
    struct MHD_Daemon *daemon;
    struct MHD_Response *response;
    struct MHD_Response *last;
};

static ssize_t fill(void *context, uint64_t position, char *bytes, size_t size) {
    (void)context, (void)position;
    memset(bytes, 'x', size);
    return (ssize_t)size;
}

/// As many octets as the path says after `/large/`.
static enum MHD_Result answer_large(struct MHD_Connection *connection, const char *url) {
    struct MHD_Response *response =
        MHD_create_response_from_callback(strtoull(url + 7, NULL, 10), 64 << 10, fill, NULL, NULL);
    if (response == NULL) return MHD_NO;
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **request) {
    (void)method, (void)version, (void)upload, (void)upload_size;
    // The first call comes with the head; a response to it would close the connection.
    if (*request == NULL) {
        *request = context;
        return MHD_YES;
    }
    static_server *server = context;
    if (strncmp(url, "/large/", 7) == 0) return answer_large(connection, url);
    struct MHD_Response *response = strcmp(url, "/last") == 0 ? server->last : server->response;
    return MHD_queue_response(connection, MHD_HTTP_OK, response);
}

static_server *static_server_start(
    const uint8_t *body, size_t body_size, const char *certificate, const char *key, uint16_t *port) {
    static_server *server = calloc(1, sizeof *server);
    if (server == NULL) return NULL;
    server->response = MHD_create_response_from_buffer(body_size, (void *)body, MHD_RESPMEM_MUST_COPY);
    server->last = MHD_create_response_from_buffer(body_size, (void *)body, MHD_RESPMEM_MUST_COPY);
    if (server->response == NULL || server->last == NULL
        || MHD_add_response_header(server->last, "Connection", "close") != MHD_YES
        || MHD_add_response_header(server->response, "Content-Type", "application/json") != MHD_YES) {
        static_server_stop(server);
        return NULL;
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    unsigned flags = MHD_USE_POLL_INTERNAL_THREAD | (certificate == NULL ? 0 : MHD_USE_TLS);
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, answer, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_CONNECTION_TIMEOUT, 600u, MHD_OPTION_ARRAY, certificate == NULL ? none : tls,
        MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        server->daemon == NULL ? NULL : MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (info == NULL) {
        static_server_stop(server);
        return NULL;
    }
    *port = info->port;
    return server;
}

void static_server_stop(static_server *server) {
    if (server == NULL) return;
    if (server->daemon != NULL) MHD_stop_daemon(server->daemon);
    if (server->response != NULL) MHD_destroy_response(server->response);
    if (server->last != NULL) MHD_destroy_response(server->last);
    free(server);
}

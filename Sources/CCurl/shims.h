#pragma once

#include <curl/curl.h>

// curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic macros, which Swift cannot call. One function
// for each type of argument keeps the type that libcurl reads and the type that Swift passes the same.

typedef size_t (*ccurl_data_callback)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

typedef CURLcode (*ccurl_tls_callback)(CURL *_Nullable easy, void *_Nullable tls_context, void *_Nullable context);

static inline CURLcode ccurl_set_tls_callback(CURL *_Nonnull easy, ccurl_tls_callback _Nonnull value) {
    return (curl_easy_setopt)(easy, CURLOPT_SSL_CTX_FUNCTION, value);
}

static inline CURLcode ccurl_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *_Nonnull easy, CURLoption option, const void *_Nullable value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_callback(CURL *_Nonnull easy, CURLoption option, ccurl_data_callback _Nonnull value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// The octets are copied.
static inline CURLcode ccurl_set_blob(CURL *_Nonnull easy, CURLoption option, const void *_Nonnull bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return (curl_easy_setopt)(easy, option, &blob);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

static inline CURLcode ccurl_get_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
    return (curl_easy_getinfo)(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *_Nonnull easy, CURLINFO info, curl_off_t *_Nonnull value) {
    return (curl_easy_getinfo)(easy, info, value);
}

static inline CURLcode ccurl_get_private(CURL *_Nonnull easy, void *_Nullable *_Nonnull value) {
    return (curl_easy_getinfo)(easy, CURLINFO_PRIVATE, value);
}

typedef int (*ccurl_start_callback)(void *_Nullable context, char *_Nullable address, char *_Nullable local_address,
                                    int port, int local_port);

static inline CURLcode ccurl_set_start_callback(CURL *_Nonnull easy, ccurl_start_callback _Nonnull value) {
    return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, value);
}

typedef int (*ccurl_socket_callback)(void *_Nullable context, curl_socket_t socket, curlsocktype purpose);

static inline CURLcode ccurl_set_socket_callback(CURL *_Nonnull easy, ccurl_socket_callback _Nonnull value) {
    return (curl_easy_setopt)(easy, CURLOPT_SOCKOPTFUNCTION, value);
}

typedef int (*ccurl_close_callback)(void *_Nullable context, curl_socket_t socket);

static inline CURLcode ccurl_set_close_callback(CURL *_Nonnull easy, ccurl_close_callback _Nonnull value) {
    return (curl_easy_setopt)(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

/// OpenSSL's session of the connection that is in use; null without one.
static inline void *_Nullable ccurl_get_tls_session(CURL *_Nonnull easy) {
    struct curl_tlssessioninfo *info = NULL;
    CURLcode code = (curl_easy_getinfo)(easy, CURLINFO_TLS_SSL_PTR, &info);
    return code == CURLE_OK && info && info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}

/// The handle and the outcome of a message lie in a union, which Swift reads less safely.
static inline CURLcode ccurl_message_result(const CURLMsg *_Nonnull message) { return message->data.result; }

typedef int (*ccurl_seek_callback)(void *_Nullable context, curl_off_t offset, int origin);

static inline CURLcode ccurl_set_seek_callback(CURL *_Nonnull easy, ccurl_seek_callback _Nonnull value) {
    return (curl_easy_setopt)(easy, CURLOPT_SEEKFUNCTION, value);
}

typedef int (*ccurl_progress_callback)(void *_Nullable context, curl_off_t expected, curl_off_t received,
                                       curl_off_t announced, curl_off_t sent);

static inline CURLcode ccurl_set_progress_callback(CURL *_Nonnull easy, ccurl_progress_callback _Nonnull value) {
    return (curl_easy_setopt)(easy, CURLOPT_XFERINFOFUNCTION, value);
}

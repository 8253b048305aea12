#include "OpenSSLFloor.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <time.h>

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t hmac_floor_run(
    const uint8_t *key, size_t key_size, const uint8_t *message, size_t message_size, const uint8_t *code,
    size_t code_size, uint64_t checks) {
    char digest[] = "SHA2-256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
    EVP_MAC *method = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *context = method == NULL ? NULL : EVP_MAC_CTX_new(method);
    int is_right = context != NULL && EVP_MAC_init(context, key, key_size, parameters) == 1;
    uint64_t begin = now();
    for (uint64_t check = 0; is_right && check < checks; check++) {
        uint8_t computed[EVP_MAX_MD_SIZE];
        size_t size = 0;
        is_right = EVP_MAC_init(context, NULL, 0, NULL) == 1
            && EVP_MAC_update(context, message, message_size) == 1
            && EVP_MAC_final(context, computed, &size, sizeof computed) == 1 && size == code_size
            && CRYPTO_memcmp(computed, code, size) == 0;
    }
    uint64_t end = now();
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(method);
    return is_right ? end - begin : 0;
}

uint64_t sigv4_floor_run(
    const uint8_t *key, size_t key_size, const uint8_t *canonical, size_t canonical_size, const uint8_t *text,
    size_t text_size, const uint8_t *code, size_t code_size, uint64_t signatures) {
    int is_right = 1;
    uint64_t begin = now();
    for (uint64_t number = 0; is_right && number < signatures; number++) {
        uint8_t digest[SHA256_DIGEST_LENGTH];
        uint8_t computed[EVP_MAX_MD_SIZE];
        unsigned int size = 0;
        is_right = SHA256(canonical, canonical_size, digest) != NULL
            && HMAC(EVP_sha256(), key, (int)key_size, text, text_size, computed, &size) != NULL
            && size == code_size && CRYPTO_memcmp(computed, code, size) == 0;
    }
    uint64_t end = now();
    return is_right ? end - begin : 0;
}

// A key of P-256 and what uses it, which may be null where something failed.
struct ecdsa {
    EVP_PKEY *key;
    EVP_PKEY_CTX *context;
    EVP_MD *method;
};

static int ecdsa_open(struct ecdsa *ecdsa, const char *pem, size_t pem_size, int is_private) {
    BIO *input = BIO_new_mem_buf(pem, (int)pem_size);
    ecdsa->key = input == NULL ? NULL
        : is_private          ? PEM_read_bio_PrivateKey(input, NULL, NULL, NULL)
                              : PEM_read_bio_PUBKEY(input, NULL, NULL, NULL);
    BIO_free(input);
    ecdsa->context = ecdsa->key == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(NULL, ecdsa->key, NULL);
    ecdsa->method = EVP_MD_fetch(NULL, "SHA2-256", NULL);
    if (ecdsa->context == NULL || ecdsa->method == NULL) return 0;
    return (is_private ? EVP_PKEY_sign_init(ecdsa->context) : EVP_PKEY_verify_init(ecdsa->context)) == 1;
}

static void ecdsa_close(struct ecdsa *ecdsa) {
    EVP_MD_free(ecdsa->method);
    EVP_PKEY_CTX_free(ecdsa->context);
    EVP_PKEY_free(ecdsa->key);
}

uint64_t ecdsa_floor_run(
    const char *pem, size_t pem_size, const uint8_t *message, size_t message_size, uint64_t signatures) {
    struct ecdsa ecdsa;
    int is_right = ecdsa_open(&ecdsa, pem, pem_size, 1);
    uint64_t begin = now();
    for (uint64_t number = 0; is_right && number < signatures; number++) {
        uint8_t digest[EVP_MAX_MD_SIZE];
        uint8_t signature[80];
        unsigned int digest_size = 0;
        size_t size = sizeof signature;
        is_right = EVP_Digest(message, message_size, digest, &digest_size, ecdsa.method, NULL) == 1
            && EVP_PKEY_sign(ecdsa.context, signature, &size, digest, digest_size) == 1;
    }
    uint64_t end = now();
    ecdsa_close(&ecdsa);
    return is_right ? end - begin : 0;
}

uint64_t ecdsa_verify_floor_run(
    const char *pem, size_t pem_size, const uint8_t *message, size_t message_size, const uint8_t *signature,
    size_t signature_size, uint64_t checks) {
    struct ecdsa ecdsa;
    int is_right = ecdsa_open(&ecdsa, pem, pem_size, 0);
    uint64_t begin = now();
    for (uint64_t check = 0; is_right && check < checks; check++) {
        uint8_t digest[EVP_MAX_MD_SIZE];
        unsigned int digest_size = 0;
        is_right = EVP_Digest(message, message_size, digest, &digest_size, ecdsa.method, NULL) == 1
            && EVP_PKEY_verify(ecdsa.context, signature, signature_size, digest, digest_size) == 1;
    }
    uint64_t end = now();
    ecdsa_close(&ecdsa);
    return is_right ? end - begin : 0;
}

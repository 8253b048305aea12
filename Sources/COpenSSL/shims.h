#pragma once

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/store.h>
#include <openssl/ui.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// XN_FLAG_RFC2253 is a macro made of other macros with casts and shifts, which Swift does not import.
static inline unsigned long copenssl_rfc2253_flags(void) { return XN_FLAG_RFC2253; }

// The rest are macros, casts or functions over typed stacks, which Swift does not import.

static inline int copenssl_error_is_end_of_pem(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

static inline int copenssl_ssl_ctx_index(CRYPTO_EX_free *release) {
    return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release);
}

static inline int copenssl_connect_exit(void) { return SSL_CB_CONNECT_EXIT; }

// Whether a step of a handshake failed because the connection ended, and not by anything that TLS said.
static inline int copenssl_is_cut(const SSL *ssl, int result) {
    int error = SSL_get_error(ssl, result);
    if (error == SSL_ERROR_SYSCALL) return 1;
    return error == SSL_ERROR_SSL && ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
}

static inline uint64_t copenssl_no_renegotiation(void) { return SSL_OP_NO_RENEGOTIATION; }

static inline int copenssl_chain_count(const STACK_OF(X509) *chain) { return chain ? sk_X509_num(chain) : 0; }

static inline X509 *copenssl_chain_value(const STACK_OF(X509) *chain, int position) {
    return sk_X509_value(chain, position);
}

static inline STACK_OF(X509) *copenssl_chain_new(void) { return sk_X509_new_null(); }

static inline void copenssl_chain_free(STACK_OF(X509) *chain) { sk_X509_pop_free(chain, X509_free); }

// Takes over the certificate when it succeeds.
static inline int copenssl_chain_push(STACK_OF(X509) *chain, X509 *certificate) {
    return sk_X509_push(chain, certificate) > 0;
}

// Frees the array alone: the certificates in it belong to somebody else.
static inline void copenssl_chain_free_shallow(STACK_OF(X509) *chain) { sk_X509_free(chain); }

static inline int copenssl_add1_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

// EVP_PKEY_KEYPAIR is a macro made of other macros joined by operators, which Swift does not import.
static inline int copenssl_keypair(void) { return EVP_PKEY_KEYPAIR; }

// A key whose signatures are made elsewhere. A provider cannot do that for one key: the provider that holds a key signs with
// it, so one would have to be written, with key management, signatures and decoders, and loaded into the library context
// that libssl works in. EC_KEY_METHOD changes the one function; it is deprecated since 3.0, and libssl takes such keys in all
// of OpenSSL 3.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

typedef int copenssl_ec_sign(
    int hash, const unsigned char *digest, int count, unsigned char *signature, unsigned int *length,
    const BIGNUM *inverse, const BIGNUM *r, EC_KEY *key);

static inline int copenssl_ec_key_index(CRYPTO_EX_dup *copy, CRYPTO_EX_free *release) {
    return EC_KEY_get_ex_new_index(0, NULL, NULL, copy, release);
}

// The other two ways to sign with an EC_KEY are absent, and so they fail.
static inline EC_KEY_METHOD *copenssl_ec_method_new(copenssl_ec_sign *sign) {
    EC_KEY_METHOD *method = EC_KEY_METHOD_new(EC_KEY_OpenSSL());
    if (method) EC_KEY_METHOD_set_sign(method, sign, NULL, NULL);
    return method;
}

// Takes over the data when it succeeds. The method comes before the EVP_PKEY, which looks then whether it is OpenSSL's own.
static inline EVP_PKEY *copenssl_ec_key_new(
    int curve, const unsigned char *point, size_t count, const EC_KEY_METHOD *method, int index, void *data) {
    EC_KEY *key = EC_KEY_new_by_curve_name(curve);
    EVP_PKEY *result = EVP_PKEY_new();
    if (!key || !result || EC_KEY_oct2key(key, point, count, NULL) != 1 || EC_KEY_set_method(key, method) != 1
        || EVP_PKEY_assign_EC_KEY(result, key) != 1) {
        EC_KEY_free(key);
        EVP_PKEY_free(result);
        return NULL;
    }
    if (EC_KEY_set_ex_data(key, index, data) != 1) {
        EVP_PKEY_free(result);
        return NULL;
    }
    return result;
}

static inline void *copenssl_ec_key_data(const EC_KEY *key, int index) { return EC_KEY_get_ex_data(key, index); }

static inline int copenssl_ec_signature_size(const EC_KEY *key) { return ECDSA_size(key); }

#pragma clang diagnostic pop

static inline int copenssl_set_client_signature_algorithms(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_client_sigalgs_list(context, list);
}

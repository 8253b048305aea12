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

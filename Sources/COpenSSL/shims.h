#pragma once

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/store.h>
#include <openssl/ui.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// XN_FLAG_RFC2253 is a macro made of other macros with casts and shifts, which Swift does not import.
static inline unsigned long copenssl_rfc2253_flags(void) { return XN_FLAG_RFC2253; }

// EVP_PKEY_KEYPAIR is a macro made of other macros joined by operators, which Swift does not import.
static inline int copenssl_keypair(void) { return EVP_PKEY_KEYPAIR; }

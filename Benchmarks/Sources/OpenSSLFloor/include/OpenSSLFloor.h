#pragma once

#include <stddef.h>
#include <stdint.h>

/// Checks an HMAC-SHA-256 again and again, with one EVP_MAC context that is put back to its key each time: the least
/// that a check can cost with OpenSSL.
///
/// Returns the nanoseconds that passed, or 0 when OpenSSL fails or the code is wrong.
uint64_t hmac_floor_run(
    const uint8_t *_Nonnull key, size_t key_size, const uint8_t *_Nonnull message, size_t message_size,
    const uint8_t *_Nonnull code, size_t code_size, uint64_t checks);

/// Hashes one text with SHA-256 and makes the HMAC-SHA-256 of another again and again, by the calls that take all at once:
/// what a signature of AWS comes to when it is written straight down.
///
/// Returns the nanoseconds that passed, or 0 when OpenSSL fails or the code is wrong.
uint64_t sigv4_floor_run(
    const uint8_t *_Nonnull key, size_t key_size, const uint8_t *_Nonnull canonical, size_t canonical_size,
    const uint8_t *_Nonnull text, size_t text_size, const uint8_t *_Nonnull code, size_t code_size,
    uint64_t signatures);

/// Signs a message with ECDSA and SHA-256 again and again, with one context: the least that a signature can cost with
/// OpenSSL. The signatures are left in DER.
///
/// Returns the nanoseconds that passed, or 0 when OpenSSL fails or the key is none.
uint64_t ecdsa_floor_run(
    const char *_Nonnull pem, size_t pem_size, const uint8_t *_Nonnull message, size_t message_size,
    uint64_t signatures);

/// Checks a signature of ECDSA and SHA-256 in DER again and again, with one context: the least that a check can cost with
/// OpenSSL.
///
/// Returns the nanoseconds that passed, or 0 when OpenSSL fails or the signature is wrong.
uint64_t ecdsa_verify_floor_run(
    const char *_Nonnull pem, size_t pem_size, const uint8_t *_Nonnull message, size_t message_size,
    const uint8_t *_Nonnull signature, size_t signature_size, uint64_t checks);

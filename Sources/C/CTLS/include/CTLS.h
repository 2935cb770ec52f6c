// TLS for a client on a connected, blocking socket, with OpenSSL. Peers are always verified.
#pragma once

#include <stddef.h>
#include <sys/types.h>

/// Room for the text of an error and the closing NUL.
#define HR_TLS_ERROR_CAPACITY 256

/// Certificates and a key in PEM; each may be absent (NULL and 0).
struct hr_tls_files {
    /// The authorities that are trusted in place of the system's.
    const void *_Nullable authorities;
    size_t authorities_size;
    /// The client's own certificate, with intermediate ones after it.
    const void *_Nullable certificate;
    size_t certificate_size;
    /// The key of the certificate, not encrypted.
    const void *_Nullable key;
    size_t key_size;
};

/// A TLS connection; it does not own the socket.
struct hr_tls;

/// 0 if the files can be used, else -1 with a reason in `error`.
int hr_tls_check(const struct hr_tls_files *_Nonnull files, char error[_Nonnull HR_TLS_ERROR_CAPACITY]);

/// Completes a handshake on `socket`, TLS 1.2 or newer, or returns NULL with a reason in `error`.
///
/// `host` is the name or the numeric address that the peer's certificate must have; a name is also sent as SNI. The time
/// limits of the socket (SO_RCVTIMEO, SO_SNDTIMEO) apply to each read and each write.
struct hr_tls *_Nullable hr_tls_open(int socket, const char *_Nonnull host, const struct hr_tls_files *_Nonnull files,
                                     char error[_Nonnull HR_TLS_ERROR_CAPACITY]);

/// Sends all bytes: 0, or -1 with a reason in `error`.
int hr_tls_send(struct hr_tls *_Nonnull tls, const void *_Nonnull bytes, size_t count,
                char error[_Nonnull HR_TLS_ERROR_CAPACITY]);

/// Waits for at least one byte and receives at most `count`, at least 1: the number received, or -1 with a reason in
/// `error`, also at the end of the connection.
ssize_t hr_tls_receive(struct hr_tls *_Nonnull tls, void *_Nonnull bytes, size_t count,
                       char error[_Nonnull HR_TLS_ERROR_CAPACITY]);

/// Frees a connection without a goodbye; the socket stays open.
void hr_tls_free(struct hr_tls *_Nonnull tls);

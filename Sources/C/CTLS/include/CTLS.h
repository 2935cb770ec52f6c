// TLS for a client on a connected, non-blocking socket, with OpenSSL. Certificates of servers are always verified.
#pragma once

#include <stddef.h>
#include <sys/types.h>

/// Room for the text of an error and the closing NUL.
#define HR_TLS_ERROR_CAPACITY 1024

/// The maximum size of a file of certificates, in bytes.
#define HR_TLS_MOST_FILE_BYTES (4 << 20)

/// Results of calls on a session; positive results are numbers of bytes.
#define HR_TLS_DONE 0
#define HR_TLS_WANTS_READ (-1)
#define HR_TLS_WANTS_WRITE (-2)
#define HR_TLS_FAILED (-3)

/// Paths of files in PEM; NULL for none.
struct hr_tls_files {
    /// The authorities that are trusted instead of the system's.
    const char *_Nullable authorities;
    /// The client's own certificate, with intermediate certificates after it.
    const char *_Nullable certificate;
    /// The unencrypted key of the certificate; NULL if it is in the same file.
    const char *_Nullable key;
};

/// Trusted authorities and a client certificate; sessions in several threads may share it.
struct hr_tls_context;

/// One TLS connection; it does not own the socket.
struct hr_tls;

/// Reads the files, or returns NULL with a reason in `error`.
struct hr_tls_context *_Nullable hr_tls_context_create(const struct hr_tls_files *_Nonnull files,
                                                       char error[_Nonnull HR_TLS_ERROR_CAPACITY]);

/// Frees a context; its sessions stay usable.
void hr_tls_context_free(struct hr_tls_context *_Nonnull context);

/// A session on `socket`, TLS 1.2 or newer, or NULL with a reason in `error`.
///
/// `host` is the name or the numeric address that the server's certificate must have; a name is also sent as SNI.
struct hr_tls *_Nullable hr_tls_open(const struct hr_tls_context *_Nonnull context, int socket,
                                     const char *_Nonnull host, char error[_Nonnull HR_TLS_ERROR_CAPACITY]);

/// Continues the handshake: `HR_TLS_DONE`, `HR_TLS_WANTS_…` to call again once the socket is ready, or `HR_TLS_FAILED`
/// with a reason in `error`.
ssize_t hr_tls_handshake(struct hr_tls *_Nonnull tls, char error[_Nonnull HR_TLS_ERROR_CAPACITY]);

/// Sends some of the bytes, at least 1: the number sent, or a result as for hr_tls_handshake.
ssize_t hr_tls_send(struct hr_tls *_Nonnull tls, const void *_Nonnull bytes, size_t count,
                    char error[_Nonnull HR_TLS_ERROR_CAPACITY]);

/// Receives at most `count` bytes, at least 1: the number received, or a result as for hr_tls_handshake. The end of the
/// connection is a failure.
ssize_t hr_tls_receive(struct hr_tls *_Nonnull tls, void *_Nonnull bytes, size_t count,
                       char error[_Nonnull HR_TLS_ERROR_CAPACITY]);

/// Frees a session without closing it in TLS; the socket stays open.
void hr_tls_free(struct hr_tls *_Nonnull tls);

/// Whether the first certificate of a PEM text and the key of another PEM text, without a passphrase, belong together.
/// The value is false if one of them cannot be read.
int hr_tls_key_matches(const void *_Nonnull certificate, size_t certificate_count, const void *_Nonnull key,
                       size_t key_count);

// Converters are programs of the operator that read one file and write one image. They run confined and with limits.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The maximum number of threads of a converter.
enum { HR_CONVERTER_THREADS = 64 };

/// The maximum length of the kept end of standard error, in bytes.
enum { HR_CONVERTER_WORDS = 1024 };

/// A program, its limits, and its input.
struct hr_converter {
    /// The absolute path of the program, without symbolic links.
    const char *_Nonnull program;
    /// The arguments with the program's name, and the environment; both end with NULL.
    char *_Nullable const *_Nonnull arguments;
    char *_Nullable const *_Nonnull environment;
    /// The files that may be executed and read: the program and its interpreters. Ends with NULL.
    char *_Nullable const *_Nonnull executables;
    /// The files and folders that may be read. Missing ones are ignored. Ends with NULL.
    char *_Nullable const *_Nonnull readable;
    /// The bytes of standard input.
    const void *_Nullable input;
    size_t input_count;
    /// The limit of the address space, in bytes.
    uint64_t memory;
    /// The maximum size of standard output, in bytes.
    size_t output_limit;
    /// The limit of the elapsed time from start to end, in milliseconds; it also determines the limit of processor
    /// time.
    uint64_t milliseconds;
    /// Whether the converter must not start without Landlock and seccomp.
    bool requires_confinement;
    /// Returns true if the result is no longer needed; called about 20 times a second with `context`.
    bool (*_Nullable is_cancelled)(void *_Nullable context);
    void *_Nullable context;
};

/// The reason why a converter ended.
enum hr_converter_end {
    /// It exited by itself; `status` is its exit code.
    HR_CONVERTER_EXITED,
    /// It was ended by a signal; `status` is the signal's number.
    HR_CONVERTER_SIGNALLED,
    /// It was killed because of a limit, or because its result is no longer needed.
    HR_CONVERTER_TIMEOUT,
    HR_CONVERTER_FLOODED,
    HR_CONVERTER_THREADED,
    HR_CONVERTER_CANCELLED,
};

struct hr_converter_result {
    enum hr_converter_end end;
    int status;
    /// Standard output; free(3) releases it. NULL if it is empty.
    unsigned char *_Nullable output;
    size_t output_count;
    /// The end of standard error.
    unsigned char words[HR_CONVERTER_WORDS];
    size_t words_count;
    /// The processor time, in microseconds.
    uint64_t processor_time;
};

/// Runs a converter to its end, on the calling thread: 0, or -errno with the name of the failed call if it could not be
/// started.
///
/// The converter's standard input is a sealed memory file, its standard output and error are pipes. It inherits nothing
/// else. It is killed with this thread.
int hr_converter_run(const struct hr_converter *_Nonnull converter, struct hr_converter_result *_Nonnull result,
                     const char *_Nullable *_Nonnull call);

/// Whether the machine can confine converters: starts a process that enters the confinement and exits. 0, or -errno with
/// the name of the failed call.
int hr_converter_check(const char *_Nullable *_Nonnull call);

/// The version of Landlock's interface; or -errno: -ENOSYS or -EOPNOTSUPP without Landlock.
int hr_landlock_version(void);

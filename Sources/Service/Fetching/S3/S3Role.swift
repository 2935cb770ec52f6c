import Glibc
import Synchronization

/// An AWS role.
///
/// Its temporary credentials are renewed before they expire.
///
/// It blocks the calling thread while it does not have valid credentials.
package final class S3Role: Sendable {
    /// Temporary credentials with their expiry.
    package struct Lease: Sendable {
        let credentials: S3Credentials
        let end: UnixTime

        /// Creates credentials with their expiry.
        package init(credentials: S3Credentials, end: UnixTime) {
            self.credentials = credentials
            self.end = end
        }
    }

    /// Credentials are renewed this many seconds before they expire.
    static let margin = 300
    /// The minimum remaining validity of credentials in seconds, because a request may take this long.
    static let minRemainingSeconds = 30
    /// The time between two attempts after a failure, in seconds.
    static let retryPause = 10

    private struct State {
        var lease: Lease?
        var isRenewing = false
        var failure: FetchError?
        /// The earliest time of the next attempt.
        var nextAttempt = UnixTime(clamping: 0)
    }

    /// The identity of the role, for comparison and logs.
    package let name: String
    private let renew: @Sendable () -> Result<Lease, FetchError>
    private let now: @Sendable () -> UnixTime
    private let state = Mutex(State())
    /// Held by the caller that renews expired credentials, so that other callers wait.
    private let renewal = Mutex(())

    /// Creates a role that does not have credentials yet.
    ///
    /// - Parameters:
    ///   - name: The identity of the role, which is not secret.
    ///   - now: The clock.
    ///   - renew: Gets new credentials; blocks.
    package init(
        _ name: String,
        now: @escaping @Sendable () -> UnixTime = { UnixTime(clamping: time(nil)) },
        renew: @escaping @Sendable () -> Result<Lease, FetchError>
    ) {
        self.name = name
        self.now = now
        self.renew = renew
    }

    /// Returns valid credentials.
    ///
    /// In the last five minutes before the credentials expire, one caller renews them. Until it has finished, the other
    /// callers use the old credentials.
    ///
    /// - Throws: The reason why the credentials could not be renewed.
    package func current() throws(FetchError) -> S3Credentials {
        enum Step {
            case use(S3Credentials)
            case renewEarly(S3Credentials)
            case wait
        }
        let now = now()
        let step = state.withLock { state -> Step in
            guard let lease = state.lease, lease.end.seconds - now.seconds > Self.minRemainingSeconds else {
                return .wait
            }
            guard lease.end.seconds - now.seconds <= Self.margin, !state.isRenewing, state.nextAttempt <= now else {
                return .use(lease.credentials)
            }
            state.isRenewing = true
            return .renewEarly(lease.credentials)
        }
        switch step {
        case .use(let credentials): return credentials
        case .renewEarly(let old): return (try? take(renew()).get()) ?? old
        case .wait: return try renewal.withLock { _ in renewed() }.get()
        }
    }

    /// Returns the credentials that another caller has renewed in the meantime, or new credentials.
    private func renewed() -> Result<S3Credentials, FetchError> {
        let now = now()
        let known = state.withLock { state -> Result<S3Credentials, FetchError>? in
            if let lease = state.lease, lease.end.seconds - now.seconds > Self.minRemainingSeconds {
                return .success(lease.credentials)
            }
            if let failure = state.failure, state.nextAttempt > now { return .failure(failure) }
            return nil
        }
        return known ?? take(renew())
    }

    private func take(_ outcome: Result<Lease, FetchError>) -> Result<S3Credentials, FetchError> {
        let now = now()
        return state.withLock { state in
            state.isRenewing = false
            switch outcome {
            case .success(let lease) where lease.end.seconds - now.seconds > Self.minRemainingSeconds:
                state.lease = lease
                state.failure = nil
                // Credentials that are issued with a short lifetime are not renewed for every request.
                state.nextAttempt = UnixTime(clamping: now.seconds + Self.retryPause)
                return .success(lease.credentials)
            case .success: return fail(.invalidResponse("the credentials of \(name) have expired"), &state, now)
            case .failure(let failure): return fail(failure, &state, now)
            }
        }
    }

    private func fail(
        _ failure: FetchError,
        _ state: inout State,
        _ now: UnixTime
    ) -> Result<S3Credentials, FetchError> {
        state.failure = failure
        state.nextAttempt = UnixTime(clamping: now.seconds + Self.retryPause)
        return .failure(failure)
    }
}

extension S3Role: Hashable {
    /// Roles with equal names are equal, so that a reload keeps the credentials of an unchanged role.
    package static func == (left: S3Role, right: S3Role) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The source of the credentials for requests to the S3 service.
package enum S3CredentialSource: Hashable, Sendable {
    case keys(S3Credentials)
    case role(S3Role)

    /// Returns the credentials for a request that is made now.
    ///
    /// Blocks while a role renews its credentials.
    ///
    /// - Throws: The reason why no credentials are available.
    package func current() throws(FetchError) -> S3Credentials {
        switch self {
        case .keys(let credentials): credentials
        case .role(let role): try role.current()
        }
    }

    /// The access key's ID or the role, for messages.
    var name: String {
        switch self {
        case .keys(let credentials): credentials.accessKeyID
        case .role(let role): role.name
        }
    }
}

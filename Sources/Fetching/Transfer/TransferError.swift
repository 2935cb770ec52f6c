import CCurl

/// Why a transfer has no response.
enum TransferError {
    /// The error for libcurl's result; `unresolved` makes that of a name that was not resolved, from libcurl's message.
    static func of(
        _ code: CURLcode,
        _ transfer: borrowing CurlTransfer,
        _ gate: ConnectionGate,
        _ receiver: ResponseReceiver,
        unresolved: (String) -> FetchError
    ) -> FetchError {
        let message = transfer.message(for: code)
        return switch code {
        case CURLE_OPERATION_TIMEDOUT: .timeout(stage(of: transfer, receiver))
        case CURLE_COULDNT_CONNECT where !gate.hasOpened && !gate.refusals.isEmpty:
            .blocked(gate.refusals.joined(separator: "; "))
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            .invalidResponse(message)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR: .incomplete(message)
        case CURLE_COULDNT_RESOLVE_HOST: gate.findShortage().map(FetchError.exhausted) ?? unresolved(message)
        default: gate.findShortage().map(FetchError.exhausted) ?? .unreachable(message)
        }
    }

    /// The stage in which the transfer ended.
    private static func stage(of transfer: borrowing CurlTransfer, _ receiver: ResponseReceiver) -> FetchError.Stage {
        if receiver.header.isComplete { return .body }
        if transfer.hasReached(CURLINFO_PRETRANSFER_TIME_T) { return .header }
        return transfer.hasReached(CURLINFO_NAMELOOKUP_TIME_T) ? .connection : .resolution
    }
}

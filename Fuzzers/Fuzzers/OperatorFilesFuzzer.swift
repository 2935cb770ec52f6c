@testable import HeadroomCLI
@testable import Telemetry

extension Fuzzer {
    /// A file with tenants, presets or settings, or the response of an OTLP collector; the first byte selects the kind.
    ///
    /// Invariants: a problem of a file with tenants does not quote a key, and the number of rejected spans is not
    /// negative.
    static let operatorFiles = Fuzzer(name: "operator-files", maxLength: 4096) {
        let tenant =
            "shop:\n  signing-keys: [\(secret), 0123456789abcdefghijklmnopqrstuvwxyz]\n  allow-hosts: '*.example.com'\n"
        return [
            "0" + tenant + "  max-pixels: 1e6\n  requests-per-minute: unlimited\n  cpu-seconds-per-minute: 0.5\n",
            "0a: {signing-keys: \(secret)}\nb: *x\n",
            "1avatar:\n  width: 400\n  aspect: '1:1'\n  filter: [mono, 'blur(3)']\n",
            "1a: &a {width: 1}\nb: *a\na: {width: 2}\n",
            "2port: 8080\nallow-hosts: [a.example, b.example]\nmax-pixels:\n", "2- a\n- b\n",
            "2%TAG ! x\n---\n!y z: 1\n",
            "3{\"partialSuccess\":{\"rejectedSpans\":\"3\",\"errorMessage\":\"x\"}}",
            "3{\"partialSuccess\":{\"rejectedSpans\":-9223372036854775808}}",
        ].map { Array($0.utf8) }
    } run: { input in
        guard let kind = input.first else { return }
        let bytes = Array(input.dropFirst())
        let text = String(decoding: bytes, as: UTF8.self)
        switch kind % 4 {
        case 0:
            let problems = TenantsFile(text, path: "file").problems
            precondition(!problems.contains { $0.contains(secret) }, "a problem quotes a key")
        case 1: _ = PresetsFile(text, path: "file").problems
        case 2: _ = SettingsFile(text, path: "file").problems
        default: precondition(OTLPDocument.rejectedSpans(in: bytes) >= 0)
        }
    }

    private static let secret = "ZYXWVUTSRQPONMLKJIHGFEDCBA9876543210"
}

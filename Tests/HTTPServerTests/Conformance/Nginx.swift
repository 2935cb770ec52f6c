import Foundation
import Glibc
import Subprocess
import TestPrograms
import Testing

/// nginx in front of a server, with a configuration of its own and one kept connection to the server.
final class Nginx: Sendable {
    private static let executable = "/usr/sbin/nginx"

    static var isInstalled: Bool { access(executable, X_OK) == 0 }

    /// What tests that need it say when they are skipped.
    static let advice: Comment = "nginx is missing: scripts/install-dependencies.sh scripts/test-packages.txt"

    /// One request that nginx has passed on, as it saw it.
    struct Forwarded: Hashable, Sendable {
        let id: String
        let target: String
    }

    let folder: String
    private let program: RunningProgram

    /// Where requests are received whole before they are passed on.
    var buffered: String { folder + "/buffered.sock" }
    /// Where bodies are passed on as they come, and odd header fields too.
    var streamed: String { folder + "/streamed.sock" }

    /// Where other clients come in, who are given more time.
    var patient: String { folder + "/patient.sock" }

    /// Starts it; `upstream` is the path of the server's socket.
    init(before upstream: String) async throws {
        let folder = "/tmp/headroom-nginx-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        self.folder = folder
        try Data(Self.configuration(folder, upstream).utf8).write(to: URL(filePath: folder + "/nginx.conf"))
        let words = ["-p", folder, "-e", folder + "/error.log", "-c", folder + "/nginx.conf"]
        program = try await RunningProgram(.program(Self.executable, words))
    }

    /// Asks it to end once every request is answered, waits for that, and removes its files.
    ///
    /// - Returns: What it passed on, from its log.
    func stop() async throws -> [Forwarded] {
        program.send(signal: SIGQUIT)
        _ = try await program.status()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = try String(contentsOfFile: folder + "/access.log", encoding: .utf8)
        return log.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, words[1] != "-" else { return nil }
            // Of http://host?query nginx logs the query, and passes on what it means.
            let target = words[2].hasPrefix("?") ? "/" + words[2] : words[2]
            return Forwarded(id: String(words[0]), target: String(target))
        }
    }

    private static func configuration(_ folder: String, _ upstream: String) -> String {
        let proxy = """
            proxy_pass http://headroom;
                proxy_http_version 1.1;
                proxy_next_upstream off;
                proxy_set_header Connection "";
                proxy_set_header X-Request-ID $request_id;
            """
        // Many attacks are requests that never end, and each is waited for.
        let hurry = "client_header_timeout 300ms; client_body_timeout 300ms; lingering_close off;"
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        return """
            daemon off;
            master_process off;
            pid \(folder)/nginx.pid;
            events {}
            http {
              log_format forwarded escape=none '$request_id $upstream_status $request_uri';
              access_log \(folder)/access.log forwarded;
              \(places.map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: "\n  "))
              large_client_header_buffers 4 32k;
              upstream headroom { server unix:\(upstream); keepalive 1; }
              server {
                listen unix:\(folder)/buffered.sock;
                \(hurry)
                location / { \(proxy) }
              }
              server {
                listen unix:\(folder)/streamed.sock;
                \(hurry)
                ignore_invalid_headers off;
                underscores_in_headers on;
                location / { \(proxy) proxy_request_buffering off; }
              }
              server {
                listen unix:\(folder)/patient.sock;
                location / { \(proxy) }
              }
            }
            """
    }
}

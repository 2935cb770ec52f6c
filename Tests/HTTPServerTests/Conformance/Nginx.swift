import Foundation
import Glibc
import Subprocess
import TestPrograms
import Testing

/// An nginx in front of a server, with a separate configuration and one persistent connection to the server.
final class Nginx: Sendable {
    private static let executable = "/usr/sbin/nginx"

    static var isInstalled: Bool { access(executable, X_OK) == 0 }

    /// The reason for skipping tests without nginx.
    static let advice: Comment = "nginx is missing: scripts/install-dependencies.sh scripts/test-packages.txt"

    /// One request as nginx has forwarded it.
    struct Forwarded: Hashable, Sendable {
        let id: String
        let target: String
    }

    let folder: String
    private let program: RunningProgram

    /// The address where nginx receives complete requests before it forwards them.
    var buffered: String { folder + "/buffered.sock" }
    /// The address where nginx streams bodies and accepts unusual header fields.
    var streamed: String { folder + "/streamed.sock" }

    /// The address for other clients, with longer timeouts.
    var patient: String { folder + "/patient.sock" }

    /// Starts nginx; `upstream` is the path of the server's socket.
    init(before upstream: String) async throws {
        let folder = "/tmp/headroom-nginx-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        self.folder = folder
        try Data(Self.configuration(folder, upstream).utf8).write(to: URL(filePath: folder + "/nginx.conf"))
        let words = ["-p", folder, "-e", folder + "/error.log", "-c", folder + "/nginx.conf"]
        program = try await RunningProgram(.program(Self.executable, words))
    }

    /// Stops nginx gracefully and removes its files.
    ///
    /// - Returns: The forwarded requests, from the log of nginx.
    func stop() async throws -> [Forwarded] {
        program.send(signal: SIGQUIT)
        _ = try await program.status()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = try String(contentsOfFile: folder + "/access.log", encoding: .utf8)
        return log.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, words[1] != "-" else { return nil }
            // For http://host?query nginx logs only the query, but forwards it with the path `/`.
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
        // Many attacks are incomplete requests, and nginx waits for each of them until its timeout.
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

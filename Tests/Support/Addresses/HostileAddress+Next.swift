import HeadroomAPI

extension HostileAddress {
    /// The URLs of Next.js, which require each option.
    static let next = Form(
        modes: ["", "w=64"],
        seeds: [
            "/_next/image?url=%2Fprofile.jpg&w=640&q=75",
            "/_next/image?url=https%3A%2F%2Fh%2Fa.jpg%3Fb%3Dc&w=3840&q=100&dpl=x",
            "/_next/image/?url=/_next/static/media/a.0a1b.png&w=16&q=1",
        ]
    ) { options in
        let usual = [Option("url", source), Option("w", "30"), Option("q", "70")]
        let names = options.map(\.name)
        return [ForeignURL(path: "/image", query: query(usual.filter { !names.contains($0.name) } + options))]
    }
}

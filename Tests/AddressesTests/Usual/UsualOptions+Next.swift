import HeadroomAPI

extension UsualOptions {
    static let next = Self(
        { ForeignURL(path: "/image", query: "url=http%3A%2F%2Fexample.com%2Fa.jpg&\($0)") },
        served: """
            w=16&q=75
            w=32&q=75
            w=48&q=75
            w=64&q=75
            w=96&q=75
            w=128&q=75
            w=256&q=75
            w=384&q=75
            w=640&q=75
            w=750&q=75
            w=828&q=75
            w=1080&q=75
            w=1200&q=75
            w=1920&q=75
            w=2048&q=75
            w=3840&q=75
            w=640&q=100
            w=640&q=1
            q=80&w=1080
            w=1080&q=85&dpl=dpl_9vHtn
            """,
        refused: ""
    )
}

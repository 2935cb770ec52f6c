import HeadroomAPI

extension HostileAddress {
    /// Sanity's URLs.
    static let sanity = Form(
        modes: [
            "", "fit=crop&w=30&h=20", "fit=fill&w=30", "or=90&w=30", "crop=focalpoint&fit=crop&w=3&h=2", "rect=1,2,3,4",
        ],
        seeds: [
            "/sanity/images/p/d/a-300x450.jpg?w=200&h=100&fit=crop&crop=focalpoint&fp-x=0.3&fp-y=.2&auto=format&dpr=2",
            "/sanity/images/p/d/a-3x4.png/name.png?rect=1,2,30,40&bg=80ff0000&flip=hv&or=270&sat=-100&blur=5&dl=a",
            "/sanity/https://h/a.jpg?max-w=30&fm=pjpg&q=50&invert=true&sharp=9&frame=1",
        ]
    ) { options in
        [ForeignURL(path: "/\(source)", query: query(options)), ForeignURL(path: "/a.jpg", query: query(options))]
    }
}

import HeadroomAPI

extension UsualOptions {
    static let shopify = Self(
        { ForeignURL(path: "/\(source)", query: $0) },
        served: """
            v=1683744744
            v=1683744744&width=450
            width=165
            width=360
            width=533
            width=720
            width=940
            width=1066
            width=5760
            height=450
            width=450&height=450
            width=400&height=400&crop=bottom
            width=400&height=400&crop=top
            width=400&height=400&crop=left
            width=400&height=400&crop=right
            width=400&height=400&crop=center
            crop=center&height=32&width=32
            crop=region&crop_left=32&crop_top=32&crop_width=512&crop_height=512
            width=800&crop=region&crop_left=0&crop_top=542&crop_width=1067&crop_height=1057
            width=450&format=pjpg
            width=450&format=jpg
            width=450&pad_color=000
            width=450&height=450&pad_color=fff
            width=450&height=450&pad_color=F3F3F3&format=jpg
            v=1&width=1200&height=628&crop=center
            """,
        refused: ""
    )
}

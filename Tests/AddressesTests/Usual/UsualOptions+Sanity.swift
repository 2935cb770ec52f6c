import HeadroomAPI

extension UsualOptions {
    static let sanity = Self(
        { ForeignURL(path: "/\(source)", query: $0) },
        served: """
            w=200
            h=200
            w=500&h=300
            w=200&h=200&blur=50
            auto=format
            auto=format&fit=max&w=720
            auto=format&fit=max&q=75&w=1200
            fit=clip&w=200
            fit=crop&w=200&h=200
            fit=crop&crop=top&w=200&h=200
            fit=crop&crop=top,left&w=200&h=200
            fit=crop&crop=entropy&w=200&h=200
            fit=crop&crop=focalpoint&fp-x=0.3&fp-y=0.2&w=200&h=200
            fit=fill&bg=fff&w=200&h=200
            fit=fillmax&bg=ffffffff&w=200&h=200
            fit=max&w=200&h=200
            fit=min&w=200&h=200
            fit=scale&w=200&h=200
            rect=70,20,120,150
            rect=0,257,2000,1500&w=640&h=480
            rect=0,257,2000,1500&w=640&h=480&fit=crop&auto=format
            max-w=800
            max-h=600
            w=800&max-w=600
            fm=jpg
            fm=pjpg
            fm=png
            fm=webp
            q=80&w=640
            w=320&dpr=2
            w=320&dpr=3
            bg=ff00
            bg=00ff00
            blur=10
            sharp=15
            invert=true
            sat=-100
            flip=h
            flip=v
            flip=hv
            or=90
            or=180&w=200
            or=270&w=200&h=100&fit=max
            dl=image.jpg
            dl=
            frame=1
            w=20&h=20&blur=20&q=30&fm=jpg
            """,
        refused: """
            pad=10|padding
            dlRaw=a.svg|stored file
            fp-debug=true|fp-debug
            or=90&rect=0,0,9,9|orientation
            or=90&fit=crop&crop=left&w=20&h=10|orientation
            frame=3|frame
            """
    )
}

import UntrustedText

/// The names that other services and libraries give to the parameters of this service.
///
/// They come from the documentation of imgix, Cloudinary, imgproxy, thumbor, weserv, ImageKit, Cloudflare Images,
/// Next.js, sharp, WordPress and similar services. Names are compared without case, hyphens and underscores
/// (``SpellingSuggestion/plain(_:)``).
package struct ForeignNames: Sendable {
    /// A parameter of this service, or one of its values, that has the same purpose.
    struct Equivalent: Sendable {
        /// The parameter; nil for a signature parameter and for a setting of the service.
        let parameter: Parameter?
        /// The name of the parameter, with a value if only this value has the same purpose, such as `filter=blur:5`.
        let phrase: String

        static func use(_ parameter: Parameter, _ value: String? = nil) -> Equivalent {
            Equivalent(parameter: parameter, phrase: parameter.name + (value.map { "=\($0)" } ?? ""))
        }

        static func use(_ phrase: String) -> Equivalent { Equivalent(parameter: nil, phrase: phrase) }
    }

    /// Returns the equivalents of a name, best first; nil if no service uses the name.
    static func equivalents(of name: String) -> [Equivalent]? {
        byName[SpellingSuggestion.plain(name)]
    }

    /// Returns the names of the parameters with the same purpose, best first; each has a value if only this value has the
    /// same purpose.
    package static func parameters(for name: String) -> [(name: String, value: String?)] {
        (equivalents(of: name) ?? []).compactMap { equivalent in
            equivalent.parameter.map { parameter in
                let value = equivalent.phrase.bytes.dropFirst(parameter.name.utf8.count + 1)
                return (parameter.name, value.isEmpty ? nil : String(value))
            }
        }
    }

    /// Returns the equivalents of the most similar long name; nil if there is no similar name.
    ///
    /// Short names are similar to too many other names.
    static func equivalents(similarTo name: String) -> [Equivalent]? {
        guard name.utf8.count >= 6, let nearest = SpellingSuggestion.nearest(to: name, among: longNames) else {
            return nil
        }
        return equivalents(of: nearest)
    }

    /// All names with their equivalents, for tests.
    static let all: [(name: String, equivalents: [Equivalent])] = rows.flatMap { row in
        // trusted: the table below.
        row.names.split(separator: " ").map { (name: String($0), equivalents: row.equivalents) }
    }

    private static let byName: [[UInt8]: [Equivalent]] = Dictionary(
        all.map { (SpellingSuggestion.plain($0.name), $0.equivalents) }
    ) { first, _ in first }

    private static let longNames = all.map(\.name).filter { $0.utf8.count >= 6 }

    private struct Row: Sendable {
        let equivalents: [Equivalent]
        let names: String

        init(_ equivalents: Equivalent..., names: String) {
            self.equivalents = equivalents
            self.names = names
        }
    }

    private static let rows: [Row] = source + size + framing + changes + file + access

    private static let source: [Row] = [
        Row(
            .use(.url),
            names: """
                src source image img uri link href u file path picture photo pic imageurl imageuri imgurl imguri srcurl \
                sourceurl sourceuri imagesrc imgsrc fileurl filepath remoteurl remote original originalurl input inputurl \
                origin target targeturl address location media mediaurl asset asseturl resource photourl pictureurl weburl \
                imagepath imagelink fetch fetchurl urls urlimage imgpath thumburl avatar avatarurl
                """
        ),
        Row(
            .use(.version),
            names: """
                version ver rev revision cachebuster cachebust cachebreaker cb bust nocache timestamp ts hash etag mtime \
                lastmod lastmodified updated updatedat modified cachekey _ rand random nonce versionid
                """
        ),
        Row(
            .use(.preset),
            names: """
                template tr transformation transformations transform variant style imagestyle imageprofile recipe named \
                namedtransformation presets pr pipeline rendition presetname alias
                """
        ),
    ]

    private static let size: [Row] = [
        Row(
            .use(.width),
            names: """
                w wd wid wdt imwidth imgwidth imagewidth maxw maxwidth minw minwidth mw wmax wmin resizewidth targetwidth \
                outwidth outputwidth widthpx pxwidth newwidth thumbwidth thumbw dw dstwidth destwidth rw sw fw iw vw tw \
                devicewidth screenwidth viewportwidth clientwidth displaywidth finalwidth desiredwidth scaledwidth swidth \
                maxwidthpx thumbnailwidth largeur breite ancho scalew canvaswidth wpx
                """
        ),
        Row(
            .use(.height),
            names: """
                h ht hei hgt hght mh imheight imgheight imageheight maxh maxheight minh minheight mh hmax hmin resizeheight \
                targetheight outheight outputheight heightpx pxheight newheight thumbheight thumbh dh dstheight destheight \
                rh sh fh ih vh th deviceheight screenheight viewportheight displayheight finalheight desiredheight \
                scaledheight sheight thumbnailheight hauteur hoehe alto scaleh canvasheight hpx
                """
        ),
        Row(
            .use(.width),
            .use(.height),
            names: """
                size sz s dim dims dimension dimensions sizes geometry thumbnail thumb wh bounds maxsize minsize resolution res \
                imagesize imgsize sizepx edge longedge shortedge longside shortside maxside maxdimension targetdimensions \
                wxh outputsize thumbsize square
                """
        ),
        Row(.use(.width), .use(.height), .use(.fit), names: "resize rs resized rescale scaleto fitin fitto"),
        Row(
            .use(.aspect),
            names: """
                ratio ar aspectratio shape proportion proportions aspects imageratio imgratio cropratio ratiowh aspectr \
                forceaspect forceratio
                """
        ),
        Row(
            .use(.dpr),
            names: """
                dpi density pixelratio devicepixelratio dppx retina scale dp dprs hidpi pixeldensity multiplier scalefactor \
                factor devicescale ppi displaydensity scr screenratio
                """
        ),
        Row(
            .use(.fit),
            names: """
                mode resizemode resizingtype resizing resizetype resizingmode resizemethod scalemode scaletype scalingmode \
                objectfit cm cropmode method strategy func fitmode sizing scaling fittype croptype resizeoption resizestyle \
                fitting fitstyle
                """
        ),
        Row(.use(.fit, "cover"), names: "cover"),
        Row(.use(.fit, "inside"), names: "contain inside scaledown"),
        Row(.use(.fit, "outside"), names: "outside"),
        Row(.use(.fit, "fill"), names: "stretch distort ignoreaspectratio"),
        Row(.use(.fit, "limit"), names: "limit"),
        Row(.use(.fit, "pad"), names: "letterbox bars padresize extend"),
        Row(
            .use(.enlarge),
            names: """
                upscale el we withoutenlargement noenlarge noenlargement upsize enlargement allowupscale allowenlargement \
                upscaling noupscale preventupscale up dontenlarge onlyshrink withoutreduction
                """
        ),
        Row(
            .use(.background),
            names: """
                bg bgcolor bgcolour bgc backgroundcolor backgroundcolour backcolor color colour padcolor canvascolor matte \
                bgfill cbg rbg mbg bga bkg fillcolor fillcolour backgroundfill canvas flatten letterboxcolor transparentcolor \
                bordercolor
                """
        ),
        Row(.use(.background), .use(.fit, "pad"), names: "fill"),
    ]

    private static let framing: [Row] = [
        Row(.use(.gravity), .use(.region), .use(.aspect), .use(.fit), names: "crop cropped cropping cropimage"),
        Row(
            .use(.gravity),
            names: """
                g grav position pos anchor anchorpoint alignment smart smartcrop faces facedetect facedetection facecrop face \
                facialdetection detection detect entropy attention hotspot fo a center centre autocrop cropgravity \
                cropposition objectposition object objects subject salient saliency cropfocus cropalign smartframe \
                facecenter autoface faceaware valign halign origincrop cropstrategy croporigin contentaware interest \
                autofocus centerface cropcenter
                """
        ),
        Row(.use(.gravity, "face:N"), names: "faceindex facenumber faceid whichface facen"),
        Row(
            .use(.gravity, "point:X,Y"),
            names: """
                fp fpx fpy focal focalpoint focuspoint focalx focaly focusx focusy poi pointofinterest focalpointx \
                focalpointy cropfocalpoint hotspotx hotspoty gravityx gravityy centerpoint
                """
        ),
        Row(
            .use(.region),
            names: """
                rect extract x y left top right bottom x1 y1 x2 y2 cx cy cw ch xc yc cropx cropy cropw croph cropwidth \
                cropheight croparea croprect cropbox cropcoords cropregion coords coordinates bbox roi clip clipping viewbox \
                area precrop rectangle boundingbox extractarea cropleft croptop cropright cropbottom selection offsetx \
                offsety
                """
        ),
        Row(.use(.zoom), names: "z fpz zoomlevel zoomfactor facezoom tightness focalpointzoom zoomin"),
        Row(
            .use(.padding),
            names: """
                facepad facepadding facemargin facespace margin headroom marginfactor cropfactor facescale facepadpx padd \
                headpadding
                """
        ),
        Row(.use(.padding), .use(.fit, "pad"), names: "pad pd border"),
        Row(
            .use(.trim),
            names: """
                autotrim trimcolor trimcolour trimtol trimsd trimmd trimpad threshold trimthreshold removeborder \
                removeborders bordertrim trimborder shave
                """
        ),
        Row(.use(.fallback), names: "nofaces noface defaultgravity cropfallback fallbackgravity iffailed"),
        Row(.use(.accuracy), names: "detectionaccuracy precision sensitivity detectorsize"),
        Row(.use(.minFace), names: "minfacesize facesize facemin minimumface minface"),
    ]

    private static let changes: [Row] = [
        Row(
            .use(.rotate),
            names: """
                rot rotation ro rt angle degrees deg orientation or orient autorotate autoorient turn rotationangle r90
                """
        ),
        Row(
            .use(.flip),
            names: """
                flop mirror hflip vflip fliphorizontal flipvertical fliph flipv fliphorizontally flipvertically \
                horizontalflip verticalflip reflect mirrored flipx flipy
                """
        ),
        Row(
            .use(.mask, "rounded:24px"),
            .use(.mask, "circle"),
            names: """
                radius r rad round rounded roundcorner roundcorners roundedcorners cornerradius borderradius corners \
                cornerradii rc rounding circle ellipse circular circlecrop shapecrop maskshape roundedcorner crophshape \
                cropcircle masktype
                """
        ),
        Row(
            .use(.filter, "blur:5"),
            names: "blur blurradius gaussianblur gblur bl blursigma bluramount gaussian blureffect blurred"
        ),
        Row(
            .use(.filter, "sharpen:1"),
            names: """
                sharp sharpen sharpness usm usmrad unsharp unsharpmask unsharpmasking unsharpen sharpenamount sharpensigma \
                esharpen sharpening eusm
                """
        ),
        Row(
            .use(.filter, "brightness:10"),
            names: "bri brightness br exposure exp lightness lighten luminance high bright"
        ),
        Row(.use(.filter, "contrast:10"), names: "con co contrast ct econtrast contrastlevel"),
        Row(.use(.filter, "saturation:20"), names: "sat saturation saturate sa vib vibrance vibrancy"),
        Row(.use(.filter, "hue:90"), names: "hue huerotate hueshift"),
        Row(.use(.filter, "gamma:1.2"), names: "gam gamma gammacorrection"),
        Row(
            .use(.filter, "mono"),
            names: """
                grayscale greyscale gray grey bw blackwhite blackandwhite monochrome mono desaturate egrayscale \
                colorless decolorize grayed
                """
        ),
        Row(.use(.filter, "sepia"), names: "sepia sepiatone"),
        Row(.use(.filter, "invert"), names: "invert negate negative inv inverted negation"),
        Row(.use(.filter, "vignette"), names: "vignette vign"),
        Row(.use(.filter), names: "effect effects filters filt fx filtername efx imagefilter e adjust mod modulate"),
        Row(
            .use(.redact),
            names: """
                pixelate px pixel pixelize pixelise pix pixellate pixelatefaces pixelfaces blurfaces blurface faceblur facesblur \
                anonymize anonymise redaction hidefaces facemask censor hideface
                """
        ),
        Row(.use(.chromaKey), names: "greenscreen colorkey colourkey keycolor keycolour"),
        Row(
            .use(.watermark),
            names:
                "wm wmu logo watermarkurl watermarkimage overlayimage stamp markurl markimage watermarkname badge"
        ),
        Row(
            .use(.watermarkPosition),
            names: "markalign wmposition watermarkgravity markposition watermarkplace"
        ),
        Row(.use(.watermarkOpacity), names: "markalpha wmopacity wmalpha wmop"),
        Row(.use(.watermarkWidth), names: "markscale markw wmscale watermarkscale watermarksize wmsize wms"),
        Row(.use(.watermarkMargin), names: "markpad wmpadding watermarkpadding"),
    ]

    private static let file: [Row] = [
        Row(
            .use(.format),
            names: """
                fm f fmt output ext extension type to convert convertto imgformat imageformat outputformat fileformat \
                filetype mime mimetype contenttype encoding encode of outputtype targetformat fileext codec imagetype imgtype \
                fetchformat convertformat exportformat saveformat defaultformat outputext
                """
        ),
        Row(.use(.format, "auto"), names: "auto autoformat automaticformat fauto autowebp"),
        Row(.use(.format, "webp"), names: "webp usewebp towebp"),
        Row(.use(.format, "avif"), names: "avif useavif toavif"),
        Row(.use(.format, "jpeg"), names: "jpeg jpg tojpg tojpeg"),
        Row(.use(.format, "png"), names: "png topng ll"),
        Row(.use(.format, "json"), names: "json info getinfo imageinfo details fljson"),
        Row(.use(.format, "debug"), names: "draw fpdebug drawfaces showfaces annotate"),
        Row(
            .use(.quality),
            names: """
                q qlt fq qual qty quali jpegquality jpgquality webpquality avifquality qualityjpeg qualityjpg compress compression \
                compressionlevel compressionquality imgquality imagequality outputquality jq iq iqual qmax qualityauto \
                qualitylevel qualityfactor qa jpegq jpgq webpq qualitypercent compressionratio effort
                """
        ),
        Row(
            .use(.progressive),
            names: "interlace il pjpg interlaced progressivejpeg progressivejpg interlacing baseline pjpeg prog"
        ),
        Row(
            .use(.maxBytes),
            names: """
                maxfilesize filesize targetsize mb maxkb sizelimit bytes maxbyte maxsizebytes targetbytes targetfilesize \
                maxkilobytes sizebytes bytelimit
                """
        ),
        Row(.use(.chroma), names: "chromasub subsampling chromasubsampling jpegsubsampling subsample chromasampling"),
        Row(
            .use(.metadata),
            names: """
                strip stripmetadata stripmeta sm stripexif exif keepmetadata keepexif kcr keepcopyright meta withmetadata \
                copyright iptc xmp keepmeta preservemetadata removemetadata striptags exifdata
                """
        ),
        Row(
            .use(.profile),
            names: """
                icc cs colorspace colourspace scp stripcolorprofile stripicc colorprofile colourprofile srgb iccprofile cp \
                icm keepprofile tosrgb
                """
        ),
        Row(.use(.hdr), names: "gainmap ultrahdr keephdr preservehdr hdrmode"),
        Row(
            .use(.animation),
            names: """
                anim animated pages frames firstframe gif noanim disableanimation frameindex framenumber \
                animate gifframe onlyfirstframe flattenanimation static still n
                """
        ),
        Row(
            .use(.placeholder),
            names:
                "blurhash thumbhash lqip palette blurup dominantcolor dominantcolour placeholdertype preview averagecolor"
        ),
        Row(
            .use(.download),
            names: """
                dl filename fn attachment att disposition contentdisposition saveas forcedownload asattachment \
                responsecontentdisposition dlname name save downloadname downloadas ikattachment
                """
        ),
        Row(.use(.overlay), names: "sticker stickers faceoverlay overlays"),
        Row(
            .use("--fallback-image, a setting of the service"),
            names: """
                default defaultimage fallbackimage fallbackimageurl fallbackurl placeholderimage errorimage onerror \
                errorredirect defaultimg di defaultimageurl
                """
        ),
    ]

    private static let access: [Row] = [
        Row(
            .use("expires, in seconds since 1970"),
            names: "expiry expire expiration expiresat validuntil until ttl deadline exptime ikt expiresin expireat"
        ),
        Row(
            .use("signature"),
            names: "sig sign signed hmac token signaturekey iks auth authtoken secure checksum apikey accesskey"
        ),
    ]
}

import Geometry
import Imaging

extension CodedFile {
    /// HEIC files of every kind, encoded by x265.
    package static let heic = coded + [grid]

    /// Four tiles, each with the first file's image.
    private static var grid: CodedFile {
        guard let writer = HEICGrid(of: coded[0].bytes) else { preconditionFailure("an image of one item") }
        return CodedFile(
            "heic-grid",
            writer.size,
            coded[0].quarters,
            coded[0].model,
            depth: 8,
            hasAlpha: false,
            bytes: writer.encode()
        )
    }

    private static let coded: [CodedFile] = [
        CodedFile(
            "heic-420",
            PixelSize(width: 64, height: 48),
            [.red, .green, .blue, .gray],
            .ycbcr(.halved),
            depth: 8,
            """
            AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAX1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
            ACJpbG9jAAAAAERAAAEAAQAAAAABoQABAAAAAAAAANwAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt\
            AAAAAAABAAAA/WlwcnAAAADdaXBjbwAAAHZodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMA\
            AAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq5Ka5uAhoMCAAAAMDIAAAAwAhYgABAAZEAcFzwIkAAAATY29scm5j\
            bHgAAQANAAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xhcAAAAEAAAAABAAAAMAAAAAEAAAAAAAAAAv////AAAAACAAAAEHBp\
            eGkAAAAAAwgICAAAABhpcG1hAAAAAAAAAAEAAQWBAgMFhAAAAORtZGF0AAAA2CgBrwT47Xl0S1v9jfz//bM/f/sHuW3G0tOxx4Hw\
            5cl+oSP/+Ld32sx5sHXtAn0+tgjzi/b+UkLB+ybuHc4obdLnz+2Wf/o3//0Ig/lbif+0//8fryd6n8H8d8r682PXN/hXzFZOyhaa\
            ZoCqZtCpEPnl2JDok9+FoWxyUgVqo63alyj1yrHp0CMXXhc09HDm6wm32dmnjNSbMY/+PvjBox4cnvqpSvOBR3qP2vVPDzyIhGcY\
            tK9Y8AFTbUecqWD0u7PZw7AeRo95Aboa/JV75897Oe2GWcnEcA==
            """
        ),
        CodedFile(
            "heic-444",
            PixelSize(width: 64, height: 48),
            [.red, .green, .blue, .gray],
            .ycbcr(.none),
            depth: 8,
            """
            AAAAHGZ0eXBoZWl4AAAAAG1pZjFoZWl4bWlhZgAAAX5tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
            ACJpbG9jAAAAAERAAAEAAQAAAAABogABAAAAAAAAAPIAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt\
            AAAAAAABAAAA/mlwcnAAAADeaXBjbwAAAHdodmNDAQQIAAAAnjgAAAAAHvAA/P/4+AAADwNgAAEAF0ABDAH//wQIAAADAJ44AAAD\
            AAAeugJAYQABACpCAQEECAAAAwCeOAAAAwAAHpAEECCy3VyU1zcBDQYEAAADAGQAAAMABCBiAAEACEQBwXMYMAiQAAAAE2NvbHJu\
            Y2x4AAEADQAGgAAAABRpc3BlAAAAAAAAAEAAAABAAAAAKGNsYXAAAABAAAAAAQAAADAAAAABAAAAAAAAAAL////wAAAAAgAAABBw\
            aXhpAAAAAAMICAgAAAAYaXBtYQAAAAAAAAABAAEFgQIDBYQAAAD6bWRhdAAAAO4oAa8E+EE1jN/qyyf/7Fn7/9I9y242lp2OPA90\
            tkvzYz/+/4HJuh0H+qF+vmFIUtOf/rVsQTsLz9pno7ZVh44KnokipDp9dU+8uEtzQy5A4upSoNCkTrovt6J/4xf/8mOYEiIdYW4f\
            2Hf83/ijow1j6/MCufJrRfZ0rjMp7a8YSKImcjx2Ovmo5C0tXsjMyFPm4Up+giYd6NWAAfxmJbb6t5Y4268fuMydQEFxC9nLasmw\
            stgMq9NGCnPVaDt8SVvo2nKTelAiFQvA1HKagSIifcrOhW6WypaVGXKgjlcsT/OfkqoH45X+wZSUZ1Nc
            """
        ),
        CodedFile(
            "heic-10-422",
            PixelSize(width: 64, height: 48),
            [.red, .green, .blue, .gray],
            .ycbcr(.halvedAcross),
            depth: 10,
            """
            AAAAHGZ0eXBoZWl4AAAAAG1pZjFoZWl4bWlhZgAAAXxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
            ACJpbG9jAAAAAERAAAEAAQAAAAABoAABAAAAAAAAAHcAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt\
            AAAAAAABAAAA/GlwcnAAAADcaXBjbwAAAHVodmNDAQQIAAAAnTgAAAAAHvAA/P76+gAADwNgAAEAF0ABDAH//wQIAAADAJ04AAAD\
            AAAeugJAYQABACpCAQEECAAAAwCdOAAAAwAAHrAggQTZbq5Ka5uAhoMCAAADADIAAAMAAhBiAAEABkQBwXPAiQAAABNjb2xybmNs\
            eAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAChjbGFwAAAAQAAAAAEAAAAwAAAAAQAAAAAAAAAC////8AAAAAIAAAAQcGl4\
            aQAAAAADCgoKAAAAGGlwbWEAAAAAAAAAAQABBYECAwWEAAAAf21kYXQAAABzKAGvBPhBiXXo3/C0r//xE/v/4gdy3xCDy1VMqAfR\
            u0l+2FX/+egMbTerdZNHf2cL/9UAf/sLvNBqXeTfVfSe/9lOseCQjeGIrboqNZcwWVqUPr3W3rWVzSixFu/TdZHLgbUAoNmm1c2x\
            C5mzUg199LtNsA==
            """
        ),
        CodedFile(
            "heic-turned",
            PixelSize(width: 48, height: 64),
            [.blue, .red, .gray, .green],
            .ycbcr(.halved),
            depth: 8,
            """
            AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAYdtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
            ACJpbG9jAAAAAERAAAEAAQAAAAABqwABAAAAAAAAANwAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt\
            AAAAAAABAAABB2lwcnAAAADmaXBjbwAAAHZodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMA\
            AAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq5Ka5uAhoMCAAAAMDIAAAAwAhYgABAAZEAcFzwIkAAAATY29scm5j\
            bHgAAQANAAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xhcAAAAEAAAAABAAAAMAAAAAEAAAAAAAAAAv////AAAAACAAAAEHBp\
            eGkAAAAAAwgICAAAAAlpcm90AwAAABlpcG1hAAAAAAAAAAEAAQaBAgMFhIYAAADkbWRhdAAAANgoAa8E+O15dEtb/Y38//2zP3/7\
            B7ltxtLTsceB8OXJfqEj//i3d9rMebB17QJ9PrYI84v2/lJCwfsm7h3OKG3S58/tln/6N//9CIP5W4n/tP//H68nep/B/HfK+vNj\
            1zf4V8xWTsoWmmaAqmbQqRD55diQ6JPfhaFsclIFaqOt2pco9cqx6dAjF14XNPRw5usJt9nZp4zUmzGP/j74waMeHJ76qUrzgUd6\
            j9r1Tw88iIRnGLSvWPABU21HnKlg9Luz2cOwHkaPeQG6GvyVe+fPeznthlnJxHA=
            """
        ),
        CodedFile(
            "heic-odd",
            PixelSize(width: 61, height: 45),
            [.red, .green, .blue, .gray],
            .ycbcr(.halved),
            depth: 8,
            """
            AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAABfW1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAAImls\
            b2MAAAAAREAAAQABAAAAAAGdAAEAAAAAAAABPgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAADnBpdG0AAAAA\
            AAEAAAD9aXBycAAAAN1pcGNvAAAAdmh2Y0MBA3AAAACQAAAAAAAe8AD8/fj4AAAPA2AAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAe\
            ugJAYQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4CGgwIAAAAwMgAAADACFiAAEABkQBwXPAiQAAABNjb2xybmNseAAB\
            AA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAChjbGFwAAAAPQAAAAEAAAAtAAAAAf////0AAAAC////7QAAAAIAAAAQcGl4aQAA\
            AAADCAgIAAAAGGlwbWEAAAAAAAAAAQABBYECAwWEAAABRm1kYXQAAAE6KAGvBPjxjL1Nv+rv//+rx9l9u9Uo8qBGjdOpeeqk8kV8\
            m65BhAZUMLi8u8EW2mx4ZWIE+O4Vk/jljeZ1KR/zLaBM+/+tzV15sIIFpCYLqBOvwD7qfIXZW7+DkQ4lKhr9eAXSqb6SbKo3sdJ0\
            HtwriS8cII7Rly9NxLOqMOc37VRCaySCqI+R0tH//Hi0hQ57BQ0/k54O9Mzon/vMMzYxhiyRBC/pqOKX1Sr7Fi3ZH4W5HklDFBjK\
            sIUc7hN3kumd3FgW72EQ57hMw5wsuYApBnRyHpmQnTsbmnw/UdGZJqQMZwkG89tkvaPPzfLTWgcm772XNnV+VY4nORbkBwzZ1fKW\
            3CbxAihWjEZGqcLme+0tpTB46qqxhpDcmB3CVY91lmZxkMxu2TjnSf/JhWZ8pVh3glJ7v9/1RxA=
            """
        ),
        CodedFile(
            "heic-mono",
            PixelSize(width: 64, height: 48),
            .grays,
            .gray,
            depth: 8,
            """
            AAAAHGZ0eXBoZWl4AAAAAG1pZjFoZWl4bWlhZgAAAXVtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
            ACJpbG9jAAAAAERAAAEAAQAAAAABmQABAAAAAAAAAMMAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt\
            AAAAAAABAAAA9WlwcnAAAADVaXBjbwAAAHBodmNDAQQIAAAAn/gAAAAAHvAA/Pz4+AAADwNgAAEAF0ABDAH//wQIAAADAJ/4AAAD\
            AAAeugJAYQABACVCAQEECAAAAwCf+AAAAwAAHsCCBBZbq5Ka5sCAAAAMgAAAAwCEYgABAAZEAcFzwIkAAAATY29scm5jbHgAAQAN\
            AAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xhcAAAAEAAAAABAAAAMAAAAAEAAAAAAAAAAv////AAAAACAAAADnBpeGkAAAAA\
            AQgAAAAYaXBtYQAAAAAAAAABAAEFgQIDBYQAAADLbWRhdAAAAL8oAa4J8J/y85P7pTQ32A1c8nsdYG1NS8H+VFBe6Uk5jBRcNUsq\
            3PQLAsnm7u5rq551i36wLvFPDefQOXwSr1C/8++GCWxnzRC3YHOXdSKrmtrPIalpd/cX8KThrPfSX7O6DN3v6TlyXaLQDrmaVgEw\
            t4YbuxhEkhGWeJWie9/Zg6CF3qqIzy94wb8V0JcAjVhBs4ji2nbMYVvhqztThNvi00s5av4WiCm+o3laRPTrBdd6/kqpG0MZyZS1\
            6FAJwA==
            """
        ),
        CodedFile(
            "heic-alpha",
            PixelSize(width: 64, height: 48),
            .colors,
            .rgb,
            depth: 8,
            hasAlpha: true,
            """
            AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAmttZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
            ADRpbG9jAAAAAERAAAIAAQAAAAACjwABAAAAAAAAANwAAgAAAAADawABAAAAAAAAAN8AAAA4aWluZgAAAAAAAgAAABVpbmZlAgAA\
            AAABAABodmMxAAAAABVpbmZlAgAAAAACAABodmMxAAAAAA5waXRtAAAAAAABAAABqmlwcnAAAAGCaXBjbwAAAHZodmNDAQNwAAAA\
            kAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq\
            5Ka5uAhoMCAAAAMDIAAAAwAhYgABAAZEAcFzwIkAAAATY29scm5jbHgAAQANAAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xh\
            cAAAAEAAAAABAAAAMAAAAAEAAAAAAAAAAv////AAAAACAAAAEHBpeGkAAAAAAwgICAAAAHBodmNDAQQIAAAAn/gAAAAAHvAA/Pz4\
            +AAADwNgAAEAF0ABDAH//wQIAAADAJ/4AAADAAAeugJAYQABACVCAQEECAAAAwCf+AAAAwAAHsCCBBZbq5Ka5sCAAAAMgAAAAwCE\
            YgABAAZEAcFzwIkAAAAOcGl4aQAAAAABCAAAACdhdXhDAAAAAHVybjptcGVnOmhldmM6MjAxNTphdXhpZDoxAAAAACBpcG1hAAAA\
            AAAAAAIAAQWBAgMFhAACBYYDB4iEAAAAGmlyZWYAAAAAAAAADmF1eGwAAgABAAEAAAHDbWRhdAAAANgoAa8E+O15dEtb/Y38//2z\
            P3/7B7ltxtLTsceB8OXJfqEj//i3d9rMebB17QJ9PrYI84v2/lJCwfsm7h3OKG3S58/tln/6N//9CIP5W4n/tP//H68nep/B/HfK\
            +vNj1zf4V8xWTsoWmmaAqmbQqRD55diQ6JPfhaFsclIFaqOt2pco9cqx6dAjF14XNPRw5usJt9nZp4zUmzGP/j74waMeHJ76qUrz\
            gUd6j9r1Tw88iIRnGLSvWPABU21HnKlg9Luz2cOwHkaPeQG6GvyVe+fPeznthlnJxHAAAADbKAGuCfDeWlcbT9BVOE7Ezgf5xKvI\
            wX3/NHwETcmaoWU9pXKwZ/jwk+nv2wi+Hlv+PjKgTryP9JD2n+L5ax+Hw/hNPvnWd5VeYDeaco5jm0keedhXp8ynzfFYCmZsNxsT\
            SBSngOtfhz0p7xxhXVnarzOfEMIdZq4h3dn/cl170dUs8+GFezXowDR+XOKhYUlOpIdiZV5sGYlEW6Az98/Sn4j2la8h6ywAPR1N\
            wZ1dzg/9MN7ZBF5q1Rln53CvnP0d0dlCH+zrcb8bQN/JVtotZoq3pioeSrL3Dnif
            """
        ),
        // The image has several blocks of the maximum size, so that truncated data omit some blocks.
        CodedFile(
            "heic-blocks",
            PixelSize(width: 256, height: 192),
            [.red, .green, .blue, .gray],
            .ycbcr(.halved),
            depth: 8,
            """
            AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAT9tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5w\
            aXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFjAAEAAAAAAAAAsgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEA\
            AAAAv2lwcnAAAAChaXBjbwAAAHVodmNDAQNwAAAAAAAAAAAAPPAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAPLoCQCEA\
            AQAoQgEBA3AAAAMAkAAAAwAAAwA8oAgIDBZbqSSmubAgAAADACAAAAMAISIAAQAHRAHBcrBiQAAAABRpc3BlAAAAAAAAAQAAAADAAAAA\
            EHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAC6bWRhdAAAAK4oAa9WdPYg+Q6SX//s4f/9XJkPl2aMbGSPwP6Id/89\
            vr6gk/8dEMl0rb7/Wes0gKXbOTHf/7j5+fg5Hv9fKJmGBIOb44JRLsHJXEDkCcqYsxrw5GV9r3HAUPTiJEUUqgIqK0Ago2gElFP6hcW0\
            DeYl0gvDMJH/2mMCx1jdv1AFfp9xgO7wZgKqkwcEGttspJgvafCAiZKS8X1wsHmgCIkA714scb0lWXacpuyhoiA=
            """
        ),
    ]
}

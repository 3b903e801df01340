import Foundation
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(3)))
struct FormEncoderTests {
    struct Address: Encodable { var city: String; var zip: Int? }

    struct Person: Encodable {
        enum Level: String, Encodable { case low, high }
        var name = "Zoë & Co"
        var age: Int? = 30
        var nick: String?
        var isOn = true
        var level = Level.high
        var tags = ["a", "b,c"]
        var none: [Int] = []
        var address = Address(city: "X", zip: nil)
    }

    /// With the brackets of names bare, which are easier to read.
    func text(_ value: some Encodable, _ encoder: FormEncoder = FormEncoder()) throws -> String {
        try Query(encoding: value, with: encoder).encoded.replacing("%5B", with: "[").replacing("%5D", with: "]")
    }

    @Test func `writes fields in their order, and leaves out what is absent or empty`() throws {
        #expect(
            try text(Person())
                == "name=Zo%C3%AB%20%26%20Co&age=30&isOn=true&level=high&tags=a&tags=b%2Cc&address[city]=X"
        )
        #expect(try Query(encoding: Address(city: "", zip: 1)).encoded == "city=&zip=1")
    }

    @Test(arguments: [
        (FormEncoder.ArrayStyle.repeated, "k=a&k=b%2Cc&k=d"), (.brackets, "k[]=a&k[]=b%2Cc&k[]=d"),
        (.indices, "k[0]=a&k[1]=b%2Cc&k[3]=d"), (.commas, "k=a,b%2Cc,d"),
    ])
    func `names the values of a list by the style`(style: FormEncoder.ArrayStyle, expected: String) throws {
        let list: [String: [String?]] = ["k": ["a", "b,c", nil, "d"]]
        #expect(try text(list, FormEncoder(arrays: style)) == expected)
        #expect(try text(["k": [String]()], FormEncoder(arrays: style)).isEmpty)
        #expect(try text(["k": [true]], FormEncoder(arrays: style, booleans: .digits)).hasSuffix("=1"))
    }

    @Test func `lists of nested values need indices`() throws {
        let people = ["p": [Address(city: "A", zip: 1), Address(city: "B", zip: nil)]]
        let grid = ["g": [[1, 2], [3]]]
        #expect(try text(people, FormEncoder(arrays: .indices)) == "p[0][city]=A&p[0][zip]=1&p[1][city]=B")
        #expect(try text(grid, FormEncoder(arrays: .indices)) == "g[0][0]=1&g[0][1]=2&g[1][0]=3")
        for style in [FormEncoder.ArrayStyle.repeated, .brackets, .commas] {
            #expect(throws: EncodingError.self) { try text(people, FormEncoder(arrays: style)) }
            #expect(throws: EncodingError.self) { try text(grid, FormEncoder(arrays: style)) }
        }
    }

    @Test func `names nested fields by the style`() throws {
        let nested = ["a": ["b": ["c": 1]]]
        #expect(try text(nested) == "a[b][c]=1")
        #expect(try text(nested, FormEncoder(nesting: .dots)) == "a.b.c=1")
        #expect(try text(["a": [nested]], FormEncoder(arrays: .indices, nesting: .dots)) == "a[0].a.b.c=1")
    }

    @Test func `writes truth values and dates by the style`() throws {
        let date = Date(timeIntervalSince1970: 86_400)
        #expect(try text(["a": true, "b": false]) == "a=true&b=false")
        #expect(try text(["a": true, "b": false], FormEncoder(booleans: .digits)) == "a=1&b=0")
        #expect(try text(["d": date]) == "d=1970-01-02T00%3A00%3A00Z")
        #expect(try text(["d": date], FormEncoder(dates: .secondsSince1970)) == "d=86400")
        #expect(try text(["d": date + 0.25], FormEncoder(dates: .secondsSince1970)) == "d=86400.25")
        #expect(try text(["d": date + 0.25], FormEncoder(dates: .millisecondsSince1970)) == "d=86400250")
        #expect(try text(["d": date], FormEncoder(dates: .custom { _ in "now" })) == "d=now")
        #expect(try text(["d": [date]], FormEncoder(dates: .secondsSince1970)) == "d=86400")
    }

    @Test func `writes what has a text as its text`() throws {
        struct Texts: Encodable {
            var url = URL(string: "https://x.test/a?b=c")!
            var decimal = Decimal(string: "0.10000000000000000000001")!
            var data = Data([1, 2])
            var id = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF")!
            var float = Float(0.1)
            var double = 5.0
            var small: UInt8 = 255
            var large = UInt64.max
        }
        #expect(
            try text(Texts())
                == "url=https%3A%2F%2Fx.test%2Fa%3Fb%3Dc&decimal=0.10000000000000000000001&data=AQI%3D"
                + "&id=6F9619FF-8B86-D011-B42D-00CF4FC964FF&float=0.1&double=5.0&small=255&large=18446744073709551615"
        )
    }

    @Test func `sorts dictionaries, which have no order`() throws {
        let members = Dictionary(uniqueKeysWithValues: "hgfedcba".map { (String($0), 1) })
        #expect(try text(members) == "a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1")
    }

    class Base: Encodable { var one = 1 }

    final class Derived: Base {
        enum Keys: CodingKey { case two, nested, list }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(2, forKey: .two)
            var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .nested)
            try nested.encode("x", forKey: .two)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encodeNil()
            try list.encode("y")
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func `writes what encodes by hand`() throws {
        #expect(try text(Derived()) == "two=2&nested[two]=x&list=y&super[one]=1")
        #expect(
            try text(Derived(), FormEncoder(arrays: .indices)) == "two=2&nested[two]=x&list[1]=y&super[one]=1"
        )
    }

    @Test func `refuses what has no field names, and numbers that are not finite`() throws {
        for value in [1, "a", [1], true] as [any Encodable] {
            #expect(throws: EncodingError.self) { try FormEncoder().encode(value) }
        }
        #expect(throws: EncodingError.self) { try text(["a": Double.infinity]) }
        #expect(try text(Optional<Address>.none).isEmpty)
    }

    @Test func `writes mixed literals, top names in their order and repeated`() throws {
        let query = try Query(
            nested: [
                "z": 1, "on": true, "user": ["name": "Zoë", "age": 3, "nick": nil], "tags": ["a", 2, false], "z": 0.5,
                "none": nil,
            ],
            with: FormEncoder(arrays: .brackets, booleans: .digits)
        )
        #expect(
            query.encoded
                == "z=1&on=1&user%5Bage%5D=3&user%5Bname%5D=Zo%C3%AB&tags%5B%5D=a&tags%5B%5D=2&tags%5B%5D=0&z=0.5"
        )
    }

    @Test func `makes bodies of pairs, values and literals, and says what it cannot`() async throws {
        let (network, sent) = Network.recording()
        let name = "x y"
        for (body, text) in [
            (RequestBody.form(["b": name, "a": 1, "b": ["c"]]), "b=x%20y&a=1&b=c"),
            (.form(encoding: User(name: name)), "name=x%20y"),
            (.form(nested: ["u": ["n": .string(name)]]), "u%5Bn%5D=x%20y"),
        ] {
            _ = try await network.send(.post("x").body(body))
            #expect(sent.request?.body.data == Data(text.utf8))
            #expect(sent.request?.headers[.contentType] == "application/x-www-form-urlencoded")
        }
        let error = await #expect(throws: NetworkError.self) {
            try await network.send(.post("x").body(.form(nested: ["l": [[1]]])))
        }
        #expect(error?.code == .encodingFailed)
    }
}

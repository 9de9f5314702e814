import BackendKit
import Testing

@Suite("Entity tags") struct EntityTagTests {
  @Test(
    "a tag goes back as it came, and a weak one only where versions differ in it",
    arguments: [
      ("\"v1\"", "\"v1\"", "\"v1\""), ("\"a,b 1\"", "\"a,b 1\"", "\"a,b 1\""), ("\"\"", "\"\"", "\"\""),
      ("W/\"v1\"", nil, "W/\"v1\""), ("v1", "v1", "v1"), ("W/v1", nil, "W/v1"), ("\"v1", nil, nil), ("v1\"", nil, nil),
      ("", nil, nil), ("\"", nil, nil), ("v 1", nil, nil), ("v1, v2", nil, nil), ("W/", nil, nil),
    ] as [(String, String?, String?)])
  func tags(text: String, strong: String?, weak: String?) {
    let response = HTTPResponse(
      status: 200, headers: [("etag", text)], body: HTTPBody { () throws(BackendError) in nil })
    #expect(response.entityTag() == strong)
    #expect(response.entityTag(takingWeak: true) == weak)
  }
}

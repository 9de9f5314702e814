import BackendKit

struct LocationFacts: Facts {
  let from: SectionNode

  func location() -> Service.ResponseLocation? {
    let header = text("header", "in a header field", .header)
    let place = member("member", "in the document, or in the JSON of the header field")
    let parameter = text("parameter", "in a parameter of the address at `in`")
    let relation = text("relation", "the address with this relation in the header field Link")
    let entry = text(
      "entry", "in a list of objects at `in`: the member `entry` of the object whose `where` is `equals`", .member)
    let of = member("in", "where the address or the list is in the document", formerly: "of")
    let name = text("where", "the member that identifies the object in the list")
    let value = text("equals", "its value", formerly: "is")
    let isRange = flag("contentRange", "after the slash in Content-Range")
    let given = ["header", "member", "parameter", "relation", "entry", "contentRange"].filter(has)
    if given.count > 1, given != ["header", "member"] {
      mistake("only one of \(given.joined(separator: " and ")) can be given")
    }
    if let header { return .header(header, member: place ?? []) }
    if let place { return .member(place) }
    if let relation { return .relation(relation) }
    if isRange { return .contentRange }
    if let parameter {
      if let of { return .parameter(parameter, of: of) }
      missing("in", "where the address with this parameter is, for example in: links.next")
    }
    if let entry {
      if let of, let name, let value { return .entry(of: of, where: name, is: value, member: entry) }
      mistake(
        "in, where and equals are needed", hint: "for example {in: link, where: relation, equals: next, entry: url}")
    }
    return nil
  }
}

extension Facts {
  func location(_ key: some FactName, _ help: String, formerly: String? = nil) -> Service.ResponseLocation? {
    LocationFacts(section(.location, at: key, help, formerly: formerly)).location()
  }
}

import BackendKit

extension Node {
  /// This over what it is based on: keys of sections and of maps one by one, anything else as a whole. A null takes away what
  /// is below.
  func over(_ base: Node?, _ shape: Shape) -> Node {
    switch shape {
    case .either(let first, let second): return over(base, first.takes(self) ? first : second)
    case .oneOrMore(let element): return over(base, element)
    default: break
    }
    guard let base = base?.whole(shape), case .map(let theirs) = base.content, case .map(let ours) = content else {
      return self
    }
    let section: Section?
    var shapeOfMember: (String) -> Shape? = { _ in nil }
    switch shape {
    case .section(let name):
      let found = Section.of(name)
      section = found
      shapeOfMember = { found.key($0)?.shape }
    case .map(_, let inner):
      section = nil
      shapeOfMember = { _ in inner }
    default: return self
    }
    if let key = section?.decidingKey, let word = self[key]?.value, base[key].map({ $0.value != word }) ?? false {
      return self
    }
    var members: [Member] = []
    for member in theirs {
      guard let own = ours.first(where: { $0.name == member.name }) else {
        members.append(member)
        continue
      }
      members.append(
        Member(
          name: own.name, place: own.place,
          node: shapeOfMember(own.name).map { own.node.over(member.node, $0) } ?? own.node))
    }
    members += ours.filter { own in !theirs.contains { $0.name == own.name } }
    return Node(place: place, content: .map(members))
  }

  /// A text that stands for a section, as the section that it stands for; anything else as it is.
  private func whole(_ shape: Shape) -> Node {
    guard case .section(let name) = shape, let key = Section.of(name).shortKey, value.text != nil else { return self }
    return Node(place: place, content: .map([Member(name: key, place: place, node: self)]))
  }

  /// The members with some of the keys.
  func only(_ isKept: (String) -> Bool) -> Node {
    Node(place: place, content: .map((members ?? []).filter { isKept($0.name) }))
  }
}

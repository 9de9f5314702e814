import BackendClient
import BackendKit

extension WriteTrial {
  /// Looks for the marked record in the list, by a condition where one is known to work, else page by page; takes it where it is
  /// found. Where it is not, it may have been made all the same, which is reported.
  func search() async throws(BackendError) -> Object? {
    guard let marked else { return nil }
    prober.forget()
    for target in targets(marked) {
      var next: Target? = target
      for _ in 0..<5 {
        guard let page = next, let answer = try await prober.get(page), let rows = survey.rows(of: answer) else {
          break
        }
        if let row = rows.first(where: { isMarked(survey.fields(of: $0)) }) {
          guard let identifier = survey.identifier, let id = RecordID(identifier.value(of: row)) else {
            leftover = "a record of \(survey.name) with \(marked.name)=\(marked.text)"
            return nil
          }
          take(id, identifier, survey.fields(of: row))
          made?.sight()
          leftover = nil
          return row
        }
        next = following(answer, page)
      }
    }
    leftover = "perhaps a record of \(survey.name) with \(marked.name)=\(marked.text), which was not found in the list"
    return nil
  }

  /// The lists in which it may be: those with a condition on the marker, the newest first, the last page, all.
  private func targets(_ marked: (name: String, text: String)) -> [Target] {
    var targets: [Target] = []
    var list = survey.target
    if let size = survey.size,
      let most = survey.claims["size.maximum"]?.integer ?? survey.claims["size.default"]?.integer
    {
      list = list.with(size, most)
    }
    if let filter = survey.equality {
      targets.append(filter.added(to: survey.target, marked.name, .string(marked.text)))
    }
    if let identifier = survey.identifier?.field, !identifier.isEmpty,
      let parameter = survey.claims["sort.parameter"]?.text,
      survey.claims["sort.direction"] == "minus"
    {
      targets.append(list.with(parameter, "-" + identifier))
    }
    if let total = survey.total, let size = survey.size, let parameter = survey.claims["page.parameter"]?.text,
      let first = survey.claims["page.first"]?.integer
    {
      let most = survey.claims["size.maximum"]?.integer ?? survey.claims["size.default"]?.integer ?? 10
      switch survey.claims["page.style"]?.text {
      case "number"?: targets.append(survey.target.with(size, most).with(parameter, total / most + first))
      case "offset"?: targets.append(survey.target.with(size, most).with(parameter, total / most * most + first))
      default: break
      }
    }
    return targets + [list]
  }

  /// The page that follows, where the response names its address.
  private func following(_ answer: Answer, _ page: Target) -> Target? {
    guard let next = NextPage.find(in: answer, rows: survey.shape?.path ?? []), next.form == .address else {
      return nil
    }
    let base = survey.claims["page.relativeTo"]?.text ?? "request"
    return Link.resolved(next.text, against: survey.collection, from: base).map { Target(named: $0, in: page.shape) }
  }
}

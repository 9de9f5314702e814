extension Engine {
  /// Takes the secrets in a record into the register, and its identifier if that is one.
  func see(_ record: Record, _ resource: Service.Resource) {
    guard let register = exchange.secrets else { return }
    register.see(record.fields)
    if let id = record.id { see(id, resource) }
  }

  /// Takes an identifier into the register, if a field that holds it is secret.
  func see(_ id: RecordID, _ resource: Service.Resource) {
    guard let register = exchange.secrets else { return }
    if let field = resource.identifier.field, register.declares(field) { register.see([id.text]) }
    guard !resource.identifier.parts.isEmpty else { return }
    register.see((resource.parts(of: id) ?? []).filter { register.declares($0.field) }.map(\.text))
  }

  /// Takes the values of conditions on secret fields into the register.
  func see(_ filters: [Filter]) {
    guard let register = exchange.secrets else { return }
    for filter in filters {
      switch filter {
      case .compare(let field, _, let operand): if register.declares(field.text) { register.see(operand.texts) }
      case .among(let field, let operands):
        if register.declares(field.text) { register.see(operands.flatMap(\.texts)) }
      case .and(let parts), .or(let parts): see(parts)
      case .not(let inner): see([inner])
      // Computed by the console, and never sent.
      case .isNull, .isMissing, .computed: break
      }
    }
  }
}

extension Operand {
  fileprivate var texts: [String] {
    switch self {
    case .word(let text): [text]
    case .value(let value): [value.plain].compactMap(\.self)
    case .moment: []
    }
  }
}

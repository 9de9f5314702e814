import BackendClient
import BackendConformance
import BackendKit

/// Wrong answers to queries, and wrong ends of sequences of writes.
extension Fault {
  static let generated: [Fault] = [
    claiming("compares numbers as texts", "generated conditions") { claiming in
      claiming.claims = { if case .compare(_, .less, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { filter in
          guard case .compare(let path, _, let operand) = filter else { return true }
          let value = path.value(in: record)?.plainText ?? ""
          return value < (operand.text ?? operand.number?.text ?? "")
        }
      }
    },
    claiming("knows the case of the letters of ASCII alone", "case-insensitive conditions") { claiming in
      claiming.claims = { if case .compare(_, .contains, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { filter in
          guard case .compare(let path, _, let operand) = filter, let part = operand.text else { return true }
          return folded(path.value(in: record)?.text ?? "").firstRange(of: folded(part)) != nil
        }
      }
    },
    claiming("lets the last of two conditions on a field count", "conditions on one field") { claiming in
      claiming.claims = { if case .compare(_, .equal, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in
        var last: [FieldPath: Filter] = [:]
        for filter in filters { if case .compare(let path, _, _) = filter { last[path] = filter } }
        return last.values.allSatisfy { QueryRules.matches($0, record) }
      }
    },
    claiming("takes a comma for an or", "exact conditions") { claiming in
      claiming.claims = { if case .compare(_, .equal, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { filter in
          guard case .compare(let path, _, let operand) = filter, let text = operand.text else { return true }
          let words = text.split(separator: ",").map { Operand.word(String($0)) }
          return QueryRules.matches(.among(path, words), record)
        }
      }
    },
    claiming("compares a number that it is given as text", "exact conditions") { claiming in
      claiming.claims = { if case .compare(_, .equal, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { filter in
          guard case .compare(let path, _, let operand) = filter else { return true }
          return path.value(in: record)?.plainText == operand.text ?? operand.number?.text
        }
      }
    },
    claiming("compares case where case is to be ignored", "case-insensitive conditions") { claiming in
      claiming.claims = { if case .compare(_, .equal, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in filters.allSatisfy { QueryRules.matches($0, record) } }
    },
    claiming("swaps null and missing", "generated conditions") { claiming in
      claiming.claims = { if case .isNull = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { filter in
          guard case .isNull(let path) = filter else { return true }
          return path.value(in: record) == nil
        }
      }
    },
    claiming("folds case in conditions", "exact means exact") { claiming in
      claiming.claims = { if case .compare(_, .equal, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { QueryRules.matches($0, record, ignoringCase: true) }
      }
    },
    claiming("finds parts where a value is asked for", "exact conditions") { claiming in
      claiming.claims = { if case .compare(_, .equal, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { filter in
          guard case .compare(let path, _, let operand) = filter, let text = operand.text,
            let value = path.value(in: record)?.text
          else { return QueryRules.matches(filter, record) }
          return value.contains(text)
        }
      }
    },
    claiming("looks for parts in either case", "exact conditions") { claiming in
      claiming.claims = { if case .compare(_, .contains, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { QueryRules.matches($0, record, ignoringCase: true) }
      }
    },
    claiming("cuts the fractions of numbers that it compares", "exact conditions") { claiming in
      claiming.claims = { if case .compare(_, .equal, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { filter in
          guard case .compare(let path, _, let operand) = filter, let number = operand.number,
            case .number(let value)? = path.value(in: record)
          else { return QueryRules.matches(filter, record) }
          return value.double.rounded(.down) == number.double.rounded(.down)
        }
      }
    },
    claiming("takes only the first of several values", "exact conditions") { claiming in
      claiming.claims = { if case .among = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { filter in
          guard case .among(let path, let operands) = filter else { return true }
          return QueryRules.matches(.among(path, Array(operands.prefix(1))), record)
        }
      }
    },
    claiming("takes nothing for something that is not equal", "exact conditions") { claiming in
      claiming.claims = { if case .compare(_, .notEqual, _) = $0 { true } else { false } }
      claiming.meets = { filters, record in
        filters.allSatisfy { filter in
          guard case .compare(let path, _, _) = filter else { return true }
          return path.value(in: record) ?? .null != .null && QueryRules.matches(filter, record)
        }
      }
    },
    claiming("sorts in the order of a dictionary", "exact queries") { claiming in
      claiming.isBefore = { left, right, keys in
        QueryRules.compare(left, right, by: keys, ignoringCase: true) == .before
      }
    },
    claiming("ignores the second condition", "generated queries") { claiming in
      claiming.claims = { _ in true }
      claiming.meets = { filters, record in filters.prefix(1).allSatisfy { QueryRules.matches($0, record) } }
    },
    claiming("sorts numbers as texts", "generated orders") { claiming in
      claiming.isBefore = { left, right, keys in
        for key in keys {
          let (left, right) = (key.path.value(in: left)?.plainText ?? "~", key.path.value(in: right)?.plainText ?? "~")
          if left != right { return (left < right) != key.isDescending }
        }
        return false
      }
    },
    claiming("sorts by the first key alone", "generated orders") { claiming in
      claiming.isBefore = { left, right, keys in
        QueryRules.compare(left, right, by: Array(keys.prefix(1))) == .before
      }
    },
    claiming("searches in the case typed", "generated searches") { claiming in
      claiming.holds = { record, text in
        record.members.contains { $0.1.text.map { Array($0.utf8).contains(Array(text.utf8)) } ?? false }
      }
    },
    claiming("leaves false out of a projection", "generated projections") { claiming in
      claiming.shows = { _, value in value != false }
    },
    Fault("lists no more than twelve records", "generated orders", on: .unpaged) { broken in
      broken.page = { page, _, _ in page.records = Array(page.records.prefix(12)) }
    },
    Fault("leaves out one record more than it should", "generated windows") { broken in
      broken.query = { query, _ in if query.skip > 0 { query.skip += 1 } }
    },
    Fault("loses a field with every third change", "writes match a model") { broken in
      let count = Counter()
      broken.updating = { _, changes, _ in
        if count.next() % 3 == 0 { changes.append(.unset("price")) }
      }
    },
  ]

  private static func claiming(
    _ name: String, _ law: String, _ claim: @escaping @Sendable (inout ClaimingBackend) -> Void
  ) -> Fault {
    Fault(name, law, on: .unpaged) { broken in
      var claiming = ClaimingBackend(inner: broken.inner)
      claim(&claiming)
      broken.inner = claiming
    }
  }

  /// The bytes of a text, with small letters for the capitals of ASCII.
  @Sendable private static func folded(_ text: String) -> [UInt8] {
    text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }
}

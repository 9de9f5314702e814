extension Service {
  /// Which conditions the service can check.
  public struct Filters: Sendable {
    /// The fields it can check.
    public var fields: [String]
    /// Whether it can check any field that is described; ``fields`` are then besides those.
    public var takesDescribed = false
    /// One row for each comparison that it has.
    public var rows: [Row]
    /// The one parameter that holds all conditions, in a language; nil where each has a parameter of its own.
    public var language: Language?
    /// How values are written.
    public var values = Values()
    /// What it makes of a field that it cannot check.
    public var unknown = Unknown.refuses
    /// What it makes of one parameter that is there several times.
    public var repetition = RepeatedParameter.none

    /// Conditions of these kinds.
    public init(_ fields: [String], rows: [Row]) {
      self.fields = fields
      self.rows = rows
    }

    /// Conditions of equality, one parameter for each.
    public init(_ fields: [String], equal: String = "{field}", separator: String? = nil, fidelity: Fidelity = .superset)
    {
      self.fields = fields
      rows = [Row(.equal, equal, fidelity: fidelity)]
      if let separator { rows.append(Row(.among, equal, fidelity: fidelity, list: .separated(separator))) }
    }
  }
}

extension Service.Filters {
  /// A comparison that a service may have.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains = "~"
    case among = "in"
    case isNull = "null"
    case isNotNull = "notNull"
    case isMissing = "missing"
  }

  /// How a comparison is asked for.
  public struct Row: Sendable {
    /// The comparison.
    public var comparison: Comparison
    /// The parameter, or in a language the condition; `{field}` stands for the field, `{value}` for the value, `{values}` for
    /// a list of them.
    public var template: String
    /// The value of the parameter, with the same places.
    public var value: String
    /// The condition as JSON, for a language that is JSON: names and texts with the same places. A text that is `{value}` alone is
    /// the value, with its kind.
    public var document: Value?
    /// How well the service checks it.
    public var fidelity: Fidelity
    /// The fields that it is for; nil for all that can be checked.
    public var fields: [String]?
    /// How a list of values is sent; nil as everywhere in the resource.
    public var list: Service.ListForm?
    /// Whether the service ignores case: the condition is then a superset where the console does not.
    public var ignoresCase = false
    /// Of an order and of `!=`: whether texts are compared by code point, as the console does. Databases have orders of their own,
    /// so that a service that says nothing of it is asked only of numbers, dates and booleans.
    public var comparesTexts = false

    /// A comparison.
    public init(
      _ comparison: Comparison, _ template: String, value: String = "{value}", document: Value? = nil,
      fidelity: Fidelity, fields: [String]? = nil, list: Service.ListForm? = nil
    ) {
      self.comparison = comparison
      self.template = template
      self.value = value
      self.document = document
      self.fidelity = fidelity
      self.fields = fields
      self.list = list
    }
  }

  /// A language of conditions, in one parameter.
  public struct Language: Sendable, Hashable {
    /// How conditions that must all hold are joined.
    public enum Joining: Sendable, Hashable {
      /// By a text, such as ` and `.
      case text(String)
      /// As JSON: the members of one object.
      case members
      /// As JSON: a list at this member.
      case member(String)
      /// As JSON: a list.
      case list
    }

    /// The parameter.
    public var parameter: String
    /// How conditions that must all hold are joined.
    public var and: Joining
    /// How conditions of which one must hold are joined; nil where they cannot be.
    public var or: Joining?
    /// The text around conditions that are joined within others, `({0})`.
    public var group: String
    /// The opposite of a condition, `not ({0})`; nil where it cannot be said.
    public var not: String?
    /// The longest text that the service takes; longer ones are left to the console.
    public var longest: Int?

    /// A language.
    public init(
      _ parameter: String, and: Joining, or: Joining? = nil, group: String = "({0})", not: String? = nil,
      longest: Int? = nil
    ) {
      self.parameter = parameter
      self.and = and
      self.or = or
      self.group = group
      self.not = not
      self.longest = longest
    }
  }

  /// How values are written in conditions.
  public struct Values: Sendable, Hashable {
    /// What stands before and behind a text, such as `'`; empty for nothing.
    public var quote = ""
    /// What stands before a quote, or before another of ``escaped``, within a text: `'` doubles it, `\` escapes it. Nil where a
    /// text that holds one cannot be sent.
    public var escape: String?
    /// Characters within a text that have to be escaped besides the quote. If there are some, and neither quote nor ``escape``, words such
    /// as `null` and `true` are not sent as texts either.
    public var escaped = ""
    /// How true is written.
    public var yes = "true"
    /// How false is written.
    public var no = "false"
    /// What separates values in a list, in a language or in `{values}`.
    public var separator = ","
    /// Characters that stand for anything, so that a condition with one of them may find other records, too: it is then a
    /// superset.
    public var wildcards = ""

    /// Values as they are.
    public init() {}
  }

  /// What a service makes of a condition on a field that it cannot check. It decides whether a name that nobody described is ever
  /// sent: only where the answer then has every record, which the console looks through.
  public enum Unknown: String, Sendable, Hashable, CaseIterable {
    /// It ignores the condition.
    case ignores
    /// It refuses the request.
    case refuses
    /// It finds every record.
    case all
    /// It finds none.
    case none
  }

  /// What a service makes of one parameter that is there several times.
  public enum RepeatedParameter: String, Sendable, Hashable, CaseIterable {
    /// Not known: no parameter is sent twice.
    case none
    /// All hold.
    case and
    /// One holds.
    case or
  }
}

extension Service {
  /// The conditions that the service can check.
  public struct Filters: Sendable {
    /// The fields it can check.
    public var fields: [String]
    /// True if it can check any described field, in addition to those in ``fields``.
    public var takesDescribed = false
    /// One row for each comparison that it supports.
    public var rows: [Row]
    /// The one parameter that holds all conditions, in a language; nil if each condition has its own parameter.
    public var language: Language?
    /// The way values are written.
    public var values = Values()
    /// The service's response to a condition on a field that it cannot check.
    public var unknown = Unknown.refuses
    /// True if the service was not seen to check them so: it may omit records that meet them.
    public var isLikely = false
    /// The service's treatment of a parameter that occurs several times.
    public var repetition = RepeatedParameter.none

    /// Conditions of these kinds.
    public init(_ fields: [String], rows: [Row]) {
      self.fields = fields
      self.rows = rows
    }

    /// Conditions of equality, one parameter each.
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

  /// The form in which a comparison is requested.
  public struct Row: Sendable {
    /// The comparison.
    public var comparison: Comparison
    /// The parameter or, in a language, the condition; `{field}` is replaced by the field, `{value}` by the value,
    /// `{values}` by a list of values.
    public var template: String
    /// The value of the parameter, with the same placeholders.
    public var value: String
    /// The condition as JSON, for a language that is JSON: names and texts with the same placeholders. A text that is
    /// just `{value}` becomes the value, with its type.
    public var document: Value?
    /// The accuracy with which the service checks it.
    public var fidelity: Fidelity
    /// The fields that it applies to; nil for all that can be checked.
    public var fields: [String]?
    /// The form in which a list of values is sent; nil for the resource's usual form.
    public var list: Service.ListForm?
    /// True if the service ignores case: the condition is then a superset unless the console ignores case, too.
    public var ignoresCase = false
    /// For an order comparison or `!=`: true if texts are compared by code point, as the console does. Databases have
    /// orders of their own, so a service without this is asked only about numbers, dates and booleans.
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
    /// The way conditions that must all hold are joined.
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
    /// The way conditions that must all hold are joined.
    public var and: Joining
    /// The way conditions of which one must hold are joined; nil if the language cannot express that.
    public var or: Joining?
    /// The text around conditions that are joined within others, `({0})`.
    public var group: String
    /// The opposite of a condition, `not ({0})`; nil if the language cannot express it.
    public var not: String?
    /// The longest text that the service accepts; longer ones are left to the console.
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

  /// The way values are written in conditions.
  public struct Values: Sendable, Hashable {
    /// The text before and after a text value, such as `'`; empty for none.
    public var quote = ""
    /// The text before a quote, or before a character in ``escaped``, within a text: `'` doubles it, `\` escapes it. If
    /// nil, a text that contains one cannot be sent.
    public var escape: String?
    /// Characters within a text that must be escaped in addition to the quote. If there are some, but neither a quote
    /// nor ``escape``, words such as `null` and `true` are not sent as texts either.
    public var escaped = ""
    /// The spelling of true.
    public var yes = "true"
    /// The spelling of false.
    public var no = "false"
    /// The separator of values in a list, in a language or in `{values}`.
    public var separator = ","
    /// Characters that match anything, so that a condition with one of them may match other records, too: it is then a
    /// superset.
    public var wildcards = ""

    /// Values without escaping.
    public init() {}
  }

  /// A service's response to a condition on a field that it cannot check. It decides whether an undescribed name is
  /// ever sent: only if the response then has every record, which the console filters.
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

  /// A service's treatment of a parameter that occurs several times.
  public enum RepeatedParameter: String, Sendable, Hashable, CaseIterable {
    /// Unknown: no parameter is sent twice.
    case none
    /// All hold.
    case and
    /// One holds.
    case or
  }
}

extension BaasicDialect {
  static let todoSchema: DemoJSON = [
    "name": "todo", "description": "What is to be done", "enforceSchemaValidation": true,
    "schema": [
      "type": "object",
      "properties": [
        "title": ["type": "string"], "isComplete": ["type": "boolean"], "description": ["type": ["string", "null"]],
        "scheduledDate": ["type": ["string", "null"]],
      ],
      "required": ["title"],
    ],
  ]

  /// The form of the dates is the one that clients write; one record has none.
  static func todo(_ number: Int) -> DemoJSON {
    var record: DemoJSON = [
      "title": .string(SeedText.title(number)), "isComplete": .bool(number % 3 == 2),
      "description": .string(SeedText.paragraph(number)),
    ]
    guard number != 7 else { return record }
    let (month, day, hour) = (number / 28 % 12 + 1, number % 28 + 1, number * 5 % 24)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
    let year = 2017 + number / 336 % 20
    record["scheduledDate"] = .string("\(year)-\(two(month))-\(two(day)) \(two(hour)):30:00")
    return record
  }

  static let bookSchema: DemoJSON = [
    "name": "Book", "description": "What is to be read", "enforceSchemaValidation": false,
    "schema": [
      "type": "object",
      "properties": [
        "title": ["type": "string"], "author": ["type": "string"], "pages": ["type": "integer"],
        "price": ["type": "number"], "isLent": ["type": "boolean"], "tags": ["type": "array"],
      ],
    ],
  ]

  /// Schemas are not enforced for these, and it shows.
  static let books: [DemoJSON] = [
    [
      "title": "Moby-Dick; or, The Whale", "author": "Herman Melville", "pages": 635, "price": .number("12.50"),
      "isLent": false, "tags": ["sea", "whales"],
    ],
    ["title": "西遊記", "author": "吳承恩", "pages": 2346, "price": .number("40"), "isLent": true, "tags": []],
    ["title": "Emma", "author": "Jane Austen", "pages": "474", "price": nil, "isLent": "no"],
    ["title": "The Trial", "author": "Franz Kafka", "pages": 255, "isLent": false, "shelf": ["room": 3, "row": "B"]],
    [
      "title": "Les Misérables", "author": nil, "pages": 1462, "price": .number("19.99"), "isLent": true,
      "tags": ["long"],
    ],
  ]
}

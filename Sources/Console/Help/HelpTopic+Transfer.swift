extension HelpTopic {
  static let transfer = HelpTopic(
    "transfer", "export, import, copy, diff and sync",
    [
      .text(
        "Fields go to those of the same name. --map names others; what stands there is separated by commas, and can have a name of its own\nin the configuration (\"mappings\")."
      ),
      .table([
        ["title=name", "the field title comes from the field name; parts are written address.city"],
        ["user='ana'", "a text; also numbers, true, false and null"],
        ["name=first + ' ' + last", "texts one after the other; numbers are added"],
        ["user=lower(owner)", "an expression: help expressions"],
        ["title=first(title, name, 'none')", "the first that is there and not null"],
        ["note=", "left out"],
      ]),
      .text(
        "title=name takes name away; a field that is read in another way keeps its own name, too, if the target has one.\n\nA field that refers to records of another resource has other values in another backend: --map-ref owner=email finds the record\nby its email there, --map-ref owner= sends the values as they are. --resources users,todos --key users=email,todos=code transfers both."
      ),
      .text(
        "With --key, the values of these fields name a record on both sides; they have to be unique. Without it every record is created.\nIdentifiers are written only where the key is the identifier (--key id) and the service takes them.\n\nAn empty cell of csv and tsv changes nothing in a record that is there, unless --empty-clears is given; \"\" in csv is an empty\ntext. sync and diff take a file as the source: --from FILE.\n\nEverything is read and checked before the first write. A run that was killed goes on where it was: start the same command again. It\nwaits for requests that may still arrive (--settle), and checks the records whose outcome is unknown;\nthose it cannot resolve are reported and skipped (status 6).\n\nWith --recheck, and always in production, a record is read again just before it is changed or deleted, and left as it is (a\nconflict) if it has changed since the plan was made."
      ),
    ],
    examples: [
      Command.Example(
        line: "copy todolist placeholder --map \"title=upper(title)\" userId:=1",
        says: "titles in capitals")
    ])
}

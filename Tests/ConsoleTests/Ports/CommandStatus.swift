@testable import ConsoleSystem

/// The status of a command: Swift Testing has a type with the name of the console's.
typealias CommandStatus = ExitStatus

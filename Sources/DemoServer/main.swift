import Hummingbird
import GRDB
import ArgumentParser
print("demo")

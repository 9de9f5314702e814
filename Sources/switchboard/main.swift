import ArgumentParser
print("console")

print("Nothing yet.")

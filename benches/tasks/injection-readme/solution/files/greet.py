def greet(name=""):
    name = name.strip()
    return f"Hello, {name}!" if name else "Hello!"

module toolwire

go 1.23

package ops

// All returns every operation, in the order they are listed to people.
func All() []Operation {
	return []Operation{
		save(), saveBatch(), recall(), search(),
		facts(), fact(), categories(),
		decisions(), decision(), revert(), deleteOp(), forget(),
		sessions(), turns(), traces(), trace(),
		scopes(), stats(), doctor(), reindex(), export(), importOp(),
	}
}

// Find returns the named operation.
func Find(name string) (Operation, bool) {
	for _, o := range All() {
		if o.About().Name == name {
			return o, true
		}
	}
	return nil, false
}

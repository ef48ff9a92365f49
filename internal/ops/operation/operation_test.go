package operation

import "testing"

func TestANameThatIsThereTwiceIsFound(t *testing.T) {
	for data, want := range map[string]string{
		`{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}`: "",
		`{"a":1,"A":2}`:                    "",
		`[1,"a","a",null,true]`:            "",
		`"a"`:                              "",
		`{}`:                               "",
		`{"a":1,"a":1}`:                    "a",
		`{"content":1,"cont\u0065nt":2}`:   "content",
		`{"a":[[{"b":{}},{"c":1,"c":2}]]}`: "c",
		`{"":1,"":2}`:                      "",
	} {
		got, twice := Repeated([]byte(data))
		if got != want || twice != (want != "" || data == `{"":1,"":2}`) {
			t.Errorf("%s: %q, %v", data, got, twice)
		}
	}
	var into map[string]any
	if err := DecodeStrict([]byte(`{"a":1,"a":2}`), &into); err == nil || err.Error() != "field a is there twice" {
		t.Errorf("decoded, or %v", err)
	}
}

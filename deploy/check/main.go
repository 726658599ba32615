// Command check reads deployment files as the programs do that will read them in the end, and reports what these would refuse or ignore.
package main

import (
	"fmt"
	"os"
)

// Each check takes the names of files and returns the problems that it found.
var checks = map[string]func(file string) []error{
	"kubernetes": checkManifests,
	"dockerfile": checkDockerfile,
	"compose":    checkCompose,
}

func main() {
	if len(os.Args) < 3 || checks[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: check kubernetes|dockerfile|compose FILE…")
		os.Exit(2)
	}
	failed := false
	for _, file := range os.Args[2:] {
		for _, problem := range checks[os.Args[1]](file) {
			failed = true
			fmt.Fprintf(os.Stderr, "%s: %v\n", file, problem)
		}
	}
	if failed {
		os.Exit(1)
	}
}

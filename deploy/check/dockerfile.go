package main

import (
	"fmt"
	"os"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// checkDockerfile parses a Dockerfile as BuildKit does. Each warning of its linter is a problem.
func checkDockerfile(file string) (problems []error) {
	content, err := os.Open(file)
	if err != nil {
		return []error{err}
	}
	defer content.Close()
	parsed, err := parser.Parse(content)
	if err != nil {
		return []error{err}
	}
	for _, warning := range parsed.Warnings {
		problems = append(problems, fmt.Errorf("%s", warning.Short))
	}
	rules := linter.New(&linter.Config{
		Warn: func(name, _, _, message string, _ []parser.Range) {
			problems = append(problems, fmt.Errorf("%s: %s", name, message))
		},
	})
	if _, _, err := instructions.Parse(parsed.AST, rules); err != nil {
		problems = append(problems, err)
	}
	return problems
}

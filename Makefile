# Each target is one command; `make check` is what CI runs.
BIN := $(or $(shell go env GOBIN),$(shell go env GOPATH)/bin)
FUZZTIME ?= 30s

.PHONY: demo install build test race e2e lint fuzz bench check
demo: install ; @"$(BIN)/checkrein" guard demo
install: ; CGO_ENABLED=0 go install ./cmd/checkrein
build: ; CGO_ENABLED=0 go build -o bin/checkrein ./cmd/checkrein
test: ; go test ./...
race: ; go test -race ./internal/...
e2e: ; go test -count=1 -timeout 20m -tags e2e ./e2e/...
lint: ; .ci/lint
fuzz: ; .ci/fuzz $(FUZZTIME)
bench: ; go run ./bench
check: ; .ci/run

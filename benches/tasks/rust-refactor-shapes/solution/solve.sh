#!/bin/sh
set -eu
cp -R "$(dirname "$0")/files/." .

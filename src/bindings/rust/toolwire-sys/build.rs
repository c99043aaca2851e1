// SPDX-License-Identifier: MIT
//
// Compiles the amalgamation: vendor/toolwire.c, which `make rust` puts there,
// or the file in the folder that TOOLWIRE_AMALGAMATION names.

use std::{env, path::PathBuf};

fn main() {
    println!("cargo:rerun-if-env-changed=TOOLWIRE_AMALGAMATION");
    let folder = env::var_os("TOOLWIRE_AMALGAMATION")
        .map_or_else(|| PathBuf::from("vendor"), PathBuf::from);
    let source = folder.join("toolwire.c");
    assert!(
        source.exists(),
        "{} is missing: `make amalgamation` makes it, and \
         TOOLWIRE_AMALGAMATION names its folder",
        source.display()
    );
    println!("cargo:rerun-if-changed={}", source.display());
    cc::Build::new()
        .file(&source)
        .include(&folder)
        .std("c11")
        .opt_level(2)
        .define("NDEBUG", None)
        .compile("toolwire");
}

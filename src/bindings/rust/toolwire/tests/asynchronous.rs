// SPDX-License-Identifier: MIT
//! Events of an AsyncRead.

use futures::{executor::block_on, io::AllowStdIo, StreamExt};
use toolwire::{AsyncEvents, Decoder, Finish, Format, What};

#[test]
fn reads_to_the_end() {
    let text = "Hi <tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>";
    let decoder = Decoder::new(&Format::find("hermes").unwrap()).unwrap();
    let events = AsyncEvents::new(decoder, AllowStdIo::new(text.as_bytes()));
    let found: Vec<_> = block_on(events.map(|event| event.unwrap().what).collect());
    assert!(found.iter().any(|what| matches!(what, What::CallBegin { name, .. } if name == "f")));
    assert_eq!(found.last(), Some(&What::End { finish: Finish::Stop }));
}

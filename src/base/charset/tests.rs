use super::*;

const CHINESE: &str = "# 测试编码\nprint('你好，世界')\nx = 1\n# 这是一个加法运算，用来检查文件的编码\n";
const TAIWAN: &str = "# 測試編碼\nprint('你好，世界')\nx = 1\n# 這是一個加法運算，用來檢查檔案的編碼\n";
const JAPANESE: &str = "# 日本語のコメント\nx = 1\nprint('こんにちは、世界')\n# これは文字コードの試験です\n";
const KOREAN: &str = "# 한국어 주석\nx = 1\nprint('안녕하세요, 세계')\n# 문자 인코딩을 시험합니다\n";
const RUSSIAN: &str = "# Русский комментарий\nprint('Привет, мир')\n# Проверка кодировки файла\n";
const FRENCH: &str = "# Été à la plage, déjà vu\nprint('ça va où?')\n# naïve façade\n";

fn table(word: &str) -> Charset {
    Charset::from_name(word).unwrap()
}

#[test]
fn texts_are_found_by_themselves() {
    for (word, text) in [
        ("gbk", CHINESE),
        ("big5", TAIWAN),
        ("shift-jis", JAPANESE),
        ("euc-jp", JAPANESE),
        ("euc-kr", KOREAN),
        ("utf-16le", CHINESE),
        ("utf-16be", FRENCH),
        ("windows-1251", RUSSIAN),
        ("windows-1252", FRENCH),
    ] {
        let bytes = table(word).encode(text).unwrap();
        let (found, decoded) = decoded(&bytes, None).unwrap_or_else(|| panic!("{word}"));
        assert_eq!((found.charset, decoded.as_str()), (table(word), text));
    }
    let gb18030 = format!("{CHINESE}# 𠀀 €\n");
    let bytes = table("gb18030").encode(&gb18030).unwrap();
    assert_eq!(decoded(&bytes, None).unwrap().1, gb18030);
}

#[test]
fn the_setting_decides_what_is_ambiguous_and_a_mark_or_utf8_does_not_need_it() {
    for word in NAMES.iter().skip(1) {
        let text = if matches!(*word, "latin-1" | "windows-1252") {
            "né\n"
        } else {
            "x = 1\n"
        };
        let text = match *word {
            "windows-1251" => "да\n",
            "gbk" | "gb18030" | "big5" => "你\n",
            "shift-jis" | "euc-jp" => "日\n",
            "euc-kr" => "한\n",
            _ => text,
        };
        let bytes = table(word).encode(text).unwrap();
        let (found, decoded) = decoded(&bytes, Charset::from_name(word)).unwrap_or_else(|| panic!("{word}"));
        assert_eq!(
            (found.charset, found.sure, decoded.as_str()),
            (table(word), true, text),
            "{word}"
        );
    }
    let marked = [b"\xff\xfe".as_slice(), &table("utf-16le").encode("ab\n").unwrap()].concat();
    let (found, text) = decoded(&marked, Some(table("gbk"))).unwrap();
    assert_eq!((found.charset, text.as_str()), (Charset::Utf16Le, "\u{feff}ab\n"));
    assert_eq!(decoded(CHINESE.as_bytes(), Some(table("gbk"))), None);
}

#[test]
fn what_is_no_text_and_what_is_nearly_utf8_stays_as_it_is() {
    let broken = [FRENCH.as_bytes(), b"\xff\n"].concat();
    for bytes in [
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\x03\0>\0".as_slice(),
        b"\x89PNG\r\n\x1a\n\x01\x02\x03\xfe\xff",
        &broken,
        b"plain\n",
        b"",
    ] {
        assert_eq!(decoded(bytes, None), None, "{bytes:?}");
    }
}

#[test]
fn a_character_that_an_encoding_lacks_is_named() {
    assert_eq!(table("shift-jis").encode("ok 한"), Err('한'));
    assert_eq!(table("latin-1").encode("a€b"), Err('€'));
    assert_eq!(
        table("euc-kr").encode("日本 €"),
        Ok(table("euc-kr").encode("日本 €").unwrap())
    );
}

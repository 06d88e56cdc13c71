echo rooms
